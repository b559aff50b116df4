/** The description of the tool that takes the answer. */
export const FORM_TOOL = 'Takes your answer. Call it once, with the whole answer; nothing else is read.';

/** Returns the instruction for a model that only these words hold to a schema. `schema`: its JSON Schema. */
export function inWords(schema: object): string {
  return `# The schema of your answer

Answer with one JSON object that keeps to this JSON Schema, and with nothing before or after it:
${JSON.stringify(schema)}`;
}
