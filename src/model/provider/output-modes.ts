/** How a model is held to a form: by the server, by a tool that it must call, or by nothing but being asked for it. */
export type OutputMode = 'structured output' | 'a forced tool' | 'JSON in the text';

/** Which way works with each model of one server, as far as it has been found out. */
export class OutputModes {
  readonly #known = new Map<string, OutputMode>();
  #noBatchesBefore = 0;

  of(model: string): OutputMode | null {
    return this.#known.get(model) ?? null;
  }

  learn(model: string, way: OutputMode): void {
    this.#known.set(model, way);
  }

  /** Whether many questions at once may be put to the server. `now`: epoch ms. */
  takesBatches(now: number): boolean {
    return now >= this.#noBatchesBefore;
  }

  /** The server took no batch: until then (epoch ms) none is put to it. */
  noBatchesBefore(at: number): void {
    this.#noBatchesBefore = at;
  }
}
