import { inspect } from 'node:util';

/** How many characters make a secret. */
const SECRET = 8;

/** A key that only its provider gets to see: printed, logged or written as JSON, it is hidden. */
export class ApiKey {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Returns the key itself, for the request that needs it. */
  reveal(): string {
    return this.#value;
  }

  /** Whether data hold the key. Never true of a word such as `none`, given to a server that asks for no key: it stands anywhere. */
  isIn(data: unknown): boolean {
    return this.#value.length >= SECRET && (JSON.stringify(data) ?? '').includes(this.#value);
  }

  toString(): string {
    return '(a key)';
  }

  toJSON(): string {
    return this.toString();
  }

  [inspect.custom](): string {
    return this.toString();
  }
}

/** How to reach the provider. */
export interface ProviderAccess {
  readonly key: ApiKey;
  /** The address of another server (`ANTHROPIC_BASE_URL`); null for the provider's own. */
  readonly baseUrl: string | null;
}
