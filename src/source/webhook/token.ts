import { createHash, timingSafeEqual } from 'node:crypto';
import type { Credential } from '../connector.ts';
import { SourceError } from '../failure.ts';

/** A shorter token could be guessed. */
const SHORTEST = 16;
/** For so long a token is not asked for again: whoever knocks must not have a program run each time. */
const FRESH_MS = 60_000;

/** The token of a webhook. No more than its digest is kept. */
export class Token {
  readonly #credential: Credential;
  readonly #now: () => number;
  #known: { readonly digest: Uint8Array; readonly at: number } | null = null;
  #asking: Promise<Uint8Array> | null = null;

  /** `now`: epoch ms. */
  constructor(credential: Credential, now: () => number) {
    this.#credential = credential;
    this.#now = now;
  }

  /**
   * Whether a text is the token as it is now; one that was replaced counts for a minute at most. Throws a `SourceError` where
   * there is none, or one that could be guessed.
   */
  async is(text: string): Promise<boolean> {
    return timingSafeEqual(digestOf(text), await this.#digest());
  }

  /** Looks whether there is a usable token. Throws a `SourceError` where there is none. */
  async ready(): Promise<void> {
    await this.#digest();
  }

  async #digest(): Promise<Uint8Array> {
    const age = this.#known === null ? null : this.#now() - this.#known.at;
    if (this.#known !== null && age !== null && age >= 0 && age < FRESH_MS) return this.#known.digest;
    // Many who knock at once wait for one answer.
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  async #ask(): Promise<Uint8Array> {
    const token = (await this.#credential.reveal()).trim();
    if (token.length < SHORTEST) throw tooShort();
    this.#known = { digest: digestOf(token), at: this.#now() };
    return this.#known.digest;
  }
}

function digestOf(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}

function tooShort(): SourceError {
  return new SourceError({
    kind: 'setup',
    message: `The token of the webhook has fewer than ${SHORTEST} characters.`,
    hint: 'Make one that nobody guesses: openssl rand -hex 24',
  });
}
