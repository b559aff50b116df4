/** How a model is held to a schema: by the server, by a tool that it must call, or only by being asked. */
export type OutputMode = 'structured output' | 'a forced tool' | 'JSON in the text';

/** The output mode that works with each model of one server, as far as it is known. */
export class OutputModes {
  readonly #byModel = new Map<string, OutputMode>();

  /** Returns the mode that works with a model, or null where it is not known yet. */
  of(model: string): OutputMode | null {
    return this.#byModel.get(model) ?? null;
  }

  /** Records the mode that works with a model. */
  learn(model: string, mode: OutputMode): void {
    this.#byModel.set(model, mode);
  }
}
