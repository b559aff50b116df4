/** What a form's tool is for, as the model is told. */
export const FORM_TOOL = 'Takes your answer. Call it once, with the whole answer; nothing else is read.';

/** What is asked of a model that nothing but these words holds to a form; `schema`: its JSON Schema. */
export function inWords(schema: object): string {
  return `# The schema of your answer

Answer with one JSON object that keeps to this JSON Schema, and with nothing before or after it:
${JSON.stringify(schema)}`;
}
