import { inspect } from 'node:util';

/** A key that is shown to its provider and to nobody else: printed, logged or written as JSON it says nothing. */
export class ApiKey {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The key itself, for the request that needs it. */
  reveal(): string {
    return this.#value;
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

/** How the provider is reached. */
export interface ProviderAccess {
  readonly key: ApiKey;
  /** Another address than the provider's own (`ANTHROPIC_BASE_URL`), or null. */
  readonly baseUrl: string | null;
}
