import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { REMEDIES } from '../../docs/make/problem-words.ts';
import { PROBLEMS, problemKind, SEVERITIES } from '../../src/vault/problem-codes.ts';

const SRC = path.resolve(import.meta.dirname, '..', '..', 'src');
const CODES: readonly string[] = SEVERITIES.flatMap((severity) => PROBLEMS[severity]);
const TABLE = 'vault/problem-codes.ts';

/** Errors that end a command or a start, and never enter the list of problems. */
const REFUSALS: ReadonlySet<string> = new Set(
  `bank-format event-ambiguous event-unknown file-ambiguous import-folder import-missing import-name kept-unread licence-busy
  licence-sender licence-unknown licence-until mail-ambiguous mail-unknown matter-unknown not-a-proposal note-ambiguous
  note-unknown nothing-to-undo other-vault
  problem-unknown proposal-refused recording-invalid rehearsal-busy rehearsal-declined rehearsal-notes rehearsal-progress rehearsal-since rehearsal-size settings-address settings-budget settings-key settings-missing
  settings-mode settings-notify settings-plane settings-roots settings-seal-key settings-threshold socket-place source-changed source-exists
  source-no-past source-no-place source-unknown too-many-proposals vault-none`.split(/\s+/),
);

/** What a command refuses is printed by it alone. */
const OF_COMMANDS = /^(?:cli|evidence|roundtable)\//;

const files = fs
  .globSync('**/*.ts', { cwd: SRC })
  .filter((file) => file !== TABLE)
  .map((file) => ({ file, text: fs.readFileSync(path.join(SRC, file), 'utf8') }));

// The compiler refuses a problem whose code has no row: `diagnostic` takes the codes of the table only.
test('each error of the core and the capabilities is a problem with a row, or a refusal', () => {
  const codes = files
    .filter(({ file }) => !OF_COMMANDS.test(file))
    .flatMap(({ text }) =>
      [...text.matchAll(/new StewardError\(\s*\{\s*code: '([a-z-]+)'/g)].map(([, code = '']) => code),
    );
  expect(codes.length).toBeGreaterThan(40);
  const unlisted = codes.filter((code) => !CODES.includes(code) && !REFUSALS.has(code));
  expect([...new Set(unlisted)].sort()).toEqual([]);
});

test('each row is of a problem that the program can report', () => {
  const text = files.map((one) => one.text).join('\n');
  const prefixes = [...text.matchAll(/code: `([a-z]+-)\$\{/g)].map(([, prefix = '']) => prefix);
  const isReported = (code: string) =>
    text.includes(`'${code}'`) || prefixes.some((prefix) => code.startsWith(prefix)) || code.endsWith('-newer');
  expect(prefixes.length).toBeGreaterThan(2);
  expect(CODES.filter((code) => !isReported(code))).toEqual([]);
});

test('each row says in a sentence what to do', () => {
  for (const remedy of Object.values(REMEDIES)) expect(remedy).toMatch(/^[A-Z][^\n]{9,119}[.]$/);
});

test('each code has one severity', () => {
  expect(new Set(CODES).size).toBe(CODES.length);
  expect(CODES.length).toBe(Object.keys(REMEDIES).length);
});

test('an error that nobody listed limits something', () => {
  expect(problemKind('toString').severity).toBe('limits');
});
