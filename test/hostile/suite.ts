import fs from 'node:fs';
import path from 'node:path';

export interface SuiteCase {
  readonly id: string;
  readonly yaml: string;
  /** Whether a YAML reader must refuse it. */
  readonly fails: boolean;
}

/** The public YAML test suite (its licence stands beside it). */
export function suiteCases(): readonly SuiteCase[] {
  const file = path.join(import.meta.dirname, 'fixtures', 'yaml-test-suite.jsonl');
  return fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): SuiteCase => JSON.parse(line));
}

/** A case as a note: as it is, and with a field before and behind it. */
export function notesOf({ yaml }: SuiteCase): readonly string[] {
  return [
    `---\n${yaml}\n---\nBody.\n`,
    `---\nstate: open\n${yaml}\n---\nBody.\n`,
    `\uFEFF---\r\n${yaml.replace(/\r?\n/g, '\r\n')}state: open\r\n...\r\n`,
  ];
}
