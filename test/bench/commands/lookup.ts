import fs from 'node:fs';
import path from 'node:path';
import { absent, atMostTimes, type Row, rowOf } from '../figures/row.ts';
import { interleaved } from '../figures/samples.ts';
import { isInstalled, ran, STEWARD } from '../processes/child.ts';
import type { Bench } from '../vaults.ts';

const NOTES = 1_000;
const [MAX_COUNT, MAX_PHRASE] = [1.5, 20];
/** Stands in one note, and in no other. */
const PHRASE = 'the green lantern of Aveiro';

/** `steward lookup` as a whole process, compared with the programs that people use for the same: jq and ripgrep. */
export async function measureLookup(bench: Bench): Promise<Row[]> {
  const { home, isQuick, vaults } = bench;
  const vault = vaults.named('looked-up', NOTES);
  const rounds = isQuick ? 3 : 9;
  const lookUp = (request: string, files: string) =>
    ran(home, process.execPath, [STEWARD, 'lookup', request, '--files', files, '--vault', vault]);
  return [
    await count(vault, { rows: isQuick ? 20_000 : 100_000, rounds, lookUp, home }),
    await phrase(vault, { rounds, lookUp, home }),
  ];
}

interface Asked {
  readonly home: string;
  readonly rounds: number;
  lookUp(request: string, files: string): { readonly ms: number; readonly said: string };
}

async function count(vault: string, { home, rows, rounds, lookUp }: Asked & { readonly rows: number }): Promise<Row> {
  const [id, what] = ['lookup.count', `steward lookup, a count of ${rows.toLocaleString('en')} JSONL rows`];
  if (!isInstalled('jq')) return absent(id, what, 'jq is not installed');
  const file = path.join(vault, 'rows.jsonl');
  const row = (nth: number) => ({
    id: nth,
    name: `row ${nth}`,
    score: ((nth * 7_919) % 1_000) / 1_000,
    tags: ['a', 'b'],
  });
  fs.writeFileSync(file, Array.from({ length: rows }, (_, nth) => `${JSON.stringify(row(nth))}\n`).join(''));
  const filter = 'reduce inputs as $row (0; if $row.score >= 0.5 then . + 1 else . end)';
  const found = await interleaved(rounds, {
    ours: () =>
      demand(lookUp('how many rows in rows.jsonl where score is at least 0.5', 'rows.jsonl'), `${rows / 2} of`),
    jq: () => demand(ran(home, 'jq', ['-n', filter, file]), String(rows / 2)),
  });
  return rowOf({ id, what, measured: found.ours, floor: { of: 'jq', samples: found.jq }, aim: atMostTimes(MAX_COUNT) });
}

async function phrase(vault: string, { home, rounds, lookUp }: Asked): Promise<Row> {
  const [id, what] = ['lookup.phrase', `steward lookup, a phrase in ${NOTES.toLocaleString('en')} notes`];
  if (!isInstalled('rg')) return absent(id, what, 'ripgrep is not installed');
  fs.writeFileSync(path.join(vault, 'notes', 'lantern.md'), `# Lantern\n\nWe met below ${PHRASE} at noon.\n`);
  const found = await interleaved(rounds, {
    ours: () => demand(lookUp(`"${PHRASE}"`, '**/*.md'), 'notes/lantern.md'),
    ripgrep: () => demand(ran(home, 'rg', ['--line-number', '--fixed-strings', PHRASE, vault]), 'notes/lantern.md'),
  });
  const floor = { of: 'ripgrep', samples: found.ripgrep };
  return rowOf({ id, what, measured: found.ours, floor, aim: atMostTimes(MAX_PHRASE) });
}

function demand({ ms, said }: { readonly ms: number; readonly said: string }, answer: string): number {
  if (!said.includes(answer)) throw new Error(`the answer holds no "${answer}": ${said.slice(0, 300)}`);
  return ms;
}
