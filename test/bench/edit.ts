import fs from 'node:fs';
import path from 'node:path';
import { loadSystemCalls, type SystemCalls } from '../../src/vault/disk/system-calls.ts';
import { sha256 } from '../../src/vault/hash.ts';
import { systemExchange } from '../../src/vault/transaction/atomic-exchange.ts';
import { Publisher } from '../../src/vault/transaction/publish.ts';
import { interleaved, type Row, times } from './measure.ts';

const BEFORE = `---\nstate: open\n---\n${'x'.repeat(2_000)}\n`;
const AFTER = BEFORE.replace('open', 'done');
const WARM_UP = 20;
/** A label of a note, which an edit has to give to the new file. */
const LABEL = 'user.label';

/** 8: publishing an edit that keeps attributes, compared with one that does not look at them. */
export async function measureEdit(home: string, rounds: number): Promise<Row[]> {
  const system = loadSystemCalls();
  const kept = () => published(home, system, null);
  const labelled = () => published(home, system, system);
  const bare = () => published(home, null, null);
  await interleaved(WARM_UP, { kept, labelled, bare });
  const found = await interleaved(rounds, { kept, labelled, bare });
  const ratio = found.kept.median / found.bare.median;
  return [
    {
      what: `8  an edit that keeps attributes (median of ${rounds})`,
      measured: found.kept.toString(),
      floor: `mode and owner alone ${found.bare}`,
      ratio: times(ratio),
      aim: '≤ 1.1 ×',
      met: ratio <= 1.1,
    },
    {
      what: '   … of a note that has one',
      measured: found.labelled.toString(),
      floor: `mode and owner alone ${found.bare}`,
      ratio: times(found.labelled.median / found.bare.median),
      aim: '',
      met: null,
    },
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
