/** Enough for the longest replies of a batch of a hundred, but not for a reply that never ends. */
const MAX_BYTES = 4 * 1024 * 1024;
/** How much of a refusal is read: its status says enough, whatever page comes with it. */
const MAX_REFUSAL = 16 * 1024;

/** A reply that began but did not end. It may have cost something. `how`: in brackets after a sentence. */
export class HalfReply extends Error {
  readonly how: string;

  constructor(how: string) {
    super(`half a reply ${how}`);
    this.name = 'HalfReply';
    this.how = how;
  }
}

/**
 * Returns a `fetch` that returns only whole replies: complete within `patienceMs` of the request, and at most 4 MiB long.
 * It throws `HalfReply` for any other reply, and what `fetch` throws where no reply began.
 */
export function wholeReply(patienceMs: number): typeof fetch {
  return async (input, init) => {
    const patience = AbortSignal.timeout(patienceMs);
    const signal = init?.signal ? AbortSignal.any([patience, init.signal]) : patience;
    try {
      // Following a redirect would send the key to another address.
      const reply = await fetch(input, { ...init, signal, redirect: 'error' });
      const { status, statusText, headers } = reply;
      const body = await (reply.ok ? wholeBody(reply) : beginningOf(reply));
      return new Response(body, { status, statusText, headers });
    } catch (error) {
      throw patience.aborted ? new HalfReply(`(no whole reply within ${patienceMs / 1000} s)`) : error;
    }
  };
}

async function wholeBody({ body }: Response): Promise<Blob | null> {
  if (body === null) return null;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let left = MAX_BYTES;
  for await (const chunk of unbroken(body)) {
    left -= chunk.byteLength;
    if (left < 0) throw new HalfReply('(its reply does not end within 4 MiB)');
    chunks.push(chunk);
  }
  return new Blob(chunks);
}

async function* unbroken(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  try {
    yield* body;
  } catch {
    throw new HalfReply('(the connection broke off)');
  }
}

async function beginningOf({ body }: Response): Promise<Blob | null> {
  if (body === null) return null;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let left = MAX_REFUSAL;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      left -= chunk.byteLength;
      if (left < 0) break;
    }
  } catch {
    // What has arrived is enough.
  }
  return new Blob(chunks);
}
