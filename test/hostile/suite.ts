import fs from 'node:fs';
import path from 'node:path';

export interface SuiteCase {
  readonly id: string;
  readonly yaml: string;
  /** Whether a YAML reader must refuse it. */
  readonly fails: boolean;
}

/** Reads the public YAML test suite; its licence is in the same folder. */
export function suiteCases(): readonly SuiteCase[] {
  const file = path.join(import.meta.dirname, 'fixtures', 'yaml-test-suite.jsonl');
  return fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): SuiteCase => JSON.parse(line));
}

/** Returns notes with the case as frontmatter: as it is, and with a field before or after it. */
export function notesOf({ yaml }: SuiteCase): readonly string[] {
  return [
    `---\n${yaml}\n---\nBody.\n`,
    `---\nstate: open\n${yaml}\n---\nBody.\n`,
    `\uFEFF---\r\n${yaml.replace(/\r?\n/g, '\r\n')}state: open\r\n...\r\n`,
  ];
}
