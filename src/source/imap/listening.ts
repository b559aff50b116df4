import type { ImapLimits } from './limits.ts';
import type { Wire } from './wire.ts';

/** An IDLE that ends sooner than this is not begun anew at once; where no visit ended it, later each time. */
const SHORTEST_IDLE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60 * 1000;

/**
 * Listens by IDLE while nothing is asked, for as long as somebody waits for news. A visit ends the IDLE, and it is begun
 * anew afterwards. Where the server has no IDLE, it is told now and then that we are still there.
 */
export class Listening {
  readonly #wire: Wire;
  readonly #limits: ImapLimits;
  readonly #look: () => Promise<boolean>;
  #waiting: { readonly news: Promise<void>; readonly resolve: () => void } | null = null;
  #isListening = false;
  #hasTold = false;
  /** A server that tells of news that are none is believed later and later. */
  #pauseMs = 0;
  #shortIdles = 0;
  #timer: NodeJS.Timeout | null = null;

  /** `look` opens the folder that is listened to, and says whether something is new in it already. */
  constructor(wire: Wire, limits: ImapLimits, look: () => Promise<boolean>) {
    this.#wire = wire;
    this.#limits = limits;
    this.#look = look;
    wire.onEnd(() => this.#stopTimer());
  }

  /** Resolves with the next news; rejects where the connection ends. */
  async news(): Promise<void> {
    this.#waiting ??= this.#wait();
    const { news } = this.#waiting;
    // What fails in it has ended the connection, of which all hear who wait.
    this.#listen().catch(() => {});
    await news;
  }

  /** Something came. */
  tell(): void {
    if (this.#waiting === null || this.#timer !== null) return;
    if (this.#pauseMs === 0) this.#tellNow();
    else this.#timer = setTimeout(() => this.#tellNow(), this.#pauseMs).unref();
  }

  /** After each visit: whether it found anything. */
  visited(hasNews: boolean): void {
    if (this.#hasTold && !hasNews)
      this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(this.#limits.falseNewsMs, 2 * this.#pauseMs));
    if (hasNews) this.#pauseMs = 0;
    this.#hasTold = false;
    this.#shortIdles = 0;
  }

  #tellNow(): void {
    this.#stopTimer();
    this.#hasTold = true;
    this.#waiting?.resolve();
    this.#waiting = null;
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #listen(): Promise<void> {
    if (this.#isListening) return;
    this.#isListening = true;
    try {
      while (this.#waiting !== null) {
        if (await this.#look()) this.tell();
        if (this.#waiting !== null) await this.#hear();
      }
    } finally {
      this.#isListening = false;
    }
  }

  async #hear(): Promise<void> {
    const { client } = this.#wire;
    // With no folder open there is nothing to listen to.
    if (!client.capabilities.has('IDLE') || client.mailbox === false) {
      await this.#pause(this.#limits.keepAliveMs);
      await this.#wire.isAlive();
      return;
    }
    const begun = performance.now();
    await this.#wire.idle();
    const isShort = performance.now() - begun < SHORTEST_IDLE_MS;
    this.#shortIdles = isShort ? this.#shortIdles + 1 : 0;
    if (isShort) await this.#pause(Math.min(LONGEST_PAUSE_MS, SHORTEST_IDLE_MS * 2 ** (this.#shortIdles - 1)));
  }

  /** One for all who ask: whoever asks at each pace must not leave a promise behind each time. */
  #wait(): { readonly news: Promise<void>; readonly resolve: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { news: this.#wire.unlessLost(promise), resolve };
  }

  /** Waits, unless the connection ends before. */
  async #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms).unref();
    try {
      await this.#wire.unlessLost(promise);
    } finally {
      clearTimeout(timer);
    }
  }
}
