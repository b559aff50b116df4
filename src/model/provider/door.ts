import { z } from 'zod';

/** Where every request takes its place before it is sent, so that nobody who asks a provider can forget to. */
export interface Door {
  /**
   * Takes a place for each question, on disk before it is sent. Rejects where there is no room for them or the provider
   * asked us to wait. None is taken for a request that puts no question, which only waits as the others do.
   */
  pass(questions: number): Promise<void>;
  /** Remembers that the provider asked us to wait: so many seconds, or null where it did not say how many. */
  heldOff(retryAfterSeconds: number | null): Promise<void>;
}

/** A request that was not sent. `why`: what the door threw. */
export class NotSent extends Error {
  readonly why: unknown;

  constructor(why: unknown) {
    super('the request was not sent');
    this.name = 'NotSent';
    this.why = why;
  }
}

const batch = z.object({ requests: z.array(z.unknown()) });

/** Returns a `fetch` that sends nothing before the door has let it pass. It throws `NotSent` where the door refuses. */
export function throughDoor(door: Door, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    try {
      await door.pass(questionsOf(input instanceof Request ? input.url : String(input), init));
    } catch (error) {
      throw new NotSent(error);
    }
    return send(input, init);
  };
}

/** How many questions a request puts: none where it only looks, one for each request of a batch, else one. */
function questionsOf(url: string, init: RequestInit = {}): number {
  if ((init.method ?? 'GET').toUpperCase() === 'GET') return 0;
  if (!new URL(url).pathname.endsWith('/batches') || typeof init.body !== 'string') return 1;
  return batch.parse(JSON.parse(init.body)).requests.length;
}
