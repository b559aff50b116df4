import type http from 'node:http';

/** What a model says, and the tools it calls. */
export interface Saying {
  readonly text: string;
  readonly stop?: string;
  readonly tokens?: number;
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
}

export interface Failure {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly message?: string;
}

/** A page as a proxy shows one: so many bytes long, endless, or begun and never continued. */
export interface Page {
  readonly status: number;
  readonly bytes: number | 'endless' | 'begun';
  readonly headers?: Record<string, string>;
}

const ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
};

/** Answers with a page instead of a reply. */
export function page(answer: http.ServerResponse, { status, bytes, headers: more }: Page): void {
  answer.writeHead(status, { 'content-type': 'text/html', ...more });
  answer.write('<!doctype html><title>Bad gateway</title>');
  if (bytes === 'endless') pour(answer, ' '.repeat(64 * 1024));
  else if (bytes !== 'begun') answer.end(' '.repeat(bytes));
}

/** Answers with a sound beginning and then a text that never ends, as fast as it is read. */
export function flood(answer: http.ServerResponse): void {
  answer.writeHead(200, headers()).write('{"type":"message","content":[{"type":"text","text":"');
  pour(answer, 'a'.repeat(64 * 1024));
}

function pour(answer: http.ServerResponse, text: string): void {
  const more = () => {
    while (!answer.destroyed && answer.write(text));
  };
  answer.on('drain', more);
  more();
}

/** Answers with the same, one byte at a time. */
export function drip(answer: http.ServerResponse): void {
  answer.writeHead(200, headers()).write('{"type":"message","content":[{"type":"text","text":"');
  const timer = setInterval(() => answer.write('a'), 10);
  answer.on('close', () => clearInterval(timer));
}

/** Answers with half of a reply, and then ends the connection (`drop`) or sends nothing more. */
export function half(answer: http.ServerResponse, model: string, drop: boolean): void {
  const text = JSON.stringify(message(model, { text: '{"note":"task/pay.md"' }));
  answer.writeHead(200, { ...headers(), 'content-length': String(Buffer.byteLength(text)) });
  answer.write(text.slice(0, text.length / 2), () => {
    if (drop) answer.socket?.destroy();
  });
}

/** Returns a message of the Messages API. `characters`: how long the request was; a usual one counts as 1500 tokens. */
export function message(model: string, { text, stop, tokens = 100, calls = [] }: Saying, characters = 0) {
  const words = text === '' ? [] : [{ type: 'text', text }];
  const uses = calls.map((call, index) => ({ type: 'tool_use', id: `toolu_${index}`, ...call }));
  return {
    id: 'msg_01AbCdEf',
    type: 'message',
    role: 'assistant',
    model,
    content: [...words, ...uses],
    stop_reason: stop ?? (calls.length > 0 ? 'tool_use' : 'end_turn'),
    stop_sequence: null,
    stop_details: stop === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null,
    usage: {
      input_tokens: Math.max(300, Math.ceil(characters / 6) - 1200),
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 1200,
      output_tokens: tokens,
      service_tier: 'standard',
    },
  };
}

/** Answers with an error of the API. */
export function fail(answer: http.ServerResponse, failure: Failure): void {
  const { status, headers: more = {}, message: text = 'as the test asked for' } = failure;
  const body = {
    type: 'error',
    error: { type: ERRORS[status] ?? 'api_error', message: text },
    request_id: 'req_011AbCd',
  };
  answer.writeHead(status, { ...headers(), ...more }).end(JSON.stringify(body));
}

/** Answers with JSON. */
export function json(answer: http.ServerResponse, status: number, body: unknown): void {
  answer.writeHead(status, headers()).end(JSON.stringify(body));
}

/** Returns the headers of every answer. */
export function headers(): Record<string, string> {
  return {
    'content-type': 'application/json',
    'request-id': 'req_011AbCd',
    'anthropic-ratelimit-requests-limit': '50',
    'anthropic-ratelimit-requests-remaining': '49',
    'anthropic-ratelimit-requests-reset': '2026-11-22T00:00:00Z',
  };
}
