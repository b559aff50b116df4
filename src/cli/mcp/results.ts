import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { StewardError } from '../../vault/errors.ts';
import { clean } from '../print/plain-text.ts';
import { inTurn, type Served } from './served.ts';

/** An answer in words, and the same as `--json` gives it. */
export interface Told {
  readonly text: string;
  readonly json: object;
}

/** Answers a tool's call. What goes wrong is told to the model as the terminal would say it. */
export async function answered(served: Served, work: () => Promise<Told>): Promise<CallToolResult> {
  try {
    const { text, json } = await inTurn(served, work);
    return { content: [{ type: 'text', text }], structuredContent: plainObject(json) };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: troubleText(error) }] };
  }
}

/** Answers the reading of a resource. */
export async function read(
  served: Served,
  uri: URL,
  mimeType: string,
  work: () => Promise<string>,
): Promise<ReadResourceResult> {
  try {
    return { contents: [{ uri: uri.href, mimeType, text: await inTurn(served, work) }] };
  } catch (error) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, troubleText(error));
  }
}

function troubleText(error: unknown): string {
  if (!(error instanceof StewardError)) return 'Something went wrong that should not.';
  const { message, hint, code } = error.trouble;
  return clean(`${message} ${hint} (${code})`);
}

// What is undefined has no place in JSON, and the schema of an answer is checked before it is written.
function plainObject(json: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(json));
}
