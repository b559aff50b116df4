import fs from 'node:fs';
import path from 'node:path';
import { loadSystemCalls, type SystemCalls, systemExchange } from '../../../src/vault/files.ts';
import { sha256 } from '../../../src/vault/note-text.ts';
import { Publisher } from '../../../src/vault/publish.ts';
import { atMostTimes, type Row, rowOf } from '../figures/row.ts';
import { interleaved, type Samples } from '../figures/samples.ts';
import type { Bench } from '../vaults.ts';

const BEFORE = `---\nstate: open\n---\n${'x'.repeat(2_000)}\n`;
const AFTER = BEFORE.replace('open', 'done');
const WARM_UP = 20;
const MAX_RATIO = 1.1;
/** A label of a note, which an edit has to give to the new file. */
const LABEL = 'user.label';

/** Publishing an edit that keeps attributes, compared with one that does not look at them. */
export async function measureEdit({ home, isQuick }: Bench): Promise<Row[]> {
  const rounds = isQuick ? 60 : 300;
  const system = loadSystemCalls();
  const kept = () => published(home, system, null);
  const labelled = () => published(home, system, system);
  const bare = () => published(home, null, null);
  await interleaved(WARM_UP, { kept, labelled, bare });
  const found = await interleaved(rounds, { kept, labelled, bare });
  const row = (id: string, what: string, measured: Samples) => {
    return { id, what, measured, floor: { of: 'mode and owner alone', samples: found.bare } };
  };
  return [
    rowOf({ ...row('edit', 'an edit that keeps attributes', found.kept), aim: atMostTimes(MAX_RATIO) }),
    rowOf(row('edit.labelled', '… of a note that has one', found.labelled)),
  ];
}

function published(home: string, system: SystemCalls | null, label: SystemCalls | null): number {
  const root = fs.mkdtempSync(path.join(home, 'edit-'));
  const [tmp, history] = [path.join(root, 'tmp'), path.join(root, 'history')];
  for (const folder of [tmp, history]) fs.mkdirSync(folder);
  const note = path.join(root, 'note.md');
  fs.writeFileSync(note, BEFORE);
  label?.setAttribute(note, LABEL, Buffer.from('read it twice'));
  const publisher = new Publisher({ root, tmp, history, exchange: systemExchange(), system });
  const edition = {
    path: 'note.md',
    beforeSha256: sha256(BEFORE),
    bytes: Buffer.from(AFTER),
    keepAs: 'e',
    keptBefore: 0,
  };
  const before = performance.now();
  publisher.publish(edition);
  return performance.now() - before;
}
