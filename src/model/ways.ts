/** How a model is held to a form: by the server, by a tool that it must call, or by nothing but being asked for it. */
export type Way = 'structured output' | 'a forced tool' | 'JSON in the text';

/** Which way works with each model of one server, as far as it has been found out. */
export class Ways {
  readonly #known = new Map<string, Way>();

  of(model: string): Way | null {
    return this.#known.get(model) ?? null;
  }

  learn(model: string, way: Way): void {
    this.#known.set(model, way);
  }
}
