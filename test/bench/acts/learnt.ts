import path from 'node:path';
import { storedReader } from '../../../src/reading/learnt.ts';
import { readByPhrases, readByRules } from '../../../src/reading/read-event.ts';
import type { StreamEvent } from '../../../src/steward/types.ts';
import { parseMail } from '../../../src/streams/mail.ts';
import { loadCases } from '../../eval/case.ts';
import { bytesOf, indexOf } from '../../eval/case-event.ts';
import { type Row, rowOf } from '../figures/row.ts';
import { interleaved, type Samples } from '../figures/samples.ts';
import type { Bench } from '../vaults.ts';

const CASES = path.join(import.meta.dirname, '../../eval/cases/train');
const WARM_UP = 1;
const DOOR = { sourceType: 'mail', trustedServers: [] };

/** What the mails of one made-up person mean, found with what was learnt, compared with parsing the same mails. */
export async function measureLearnt({ isQuick }: Bench): Promise<Row[]> {
  const rounds = isQuick ? 5 : 15;
  const { vault, mails } = loadCases(path.join(CASES, 'a'));
  const [bytes, index, learnt] = [mails.map(bytesOf), indexOf(vault), storedReader()];
  const events = await parsedAll(bytes);
  const per = (took: number) => took / bytes.length;
  const parsed = async () => per(await timeOf(async () => void (await parsedAll(bytes))));
  const read = async () => per(await timeOf(() => readAll(events, (event) => readByRules(event, { index, learnt }))));
  const byPhrases = async () => per(await timeOf(() => readAll(events, (event) => readByPhrases(event, index))));
  await interleaved(WARM_UP, { parsed, read, byPhrases });
  const found = await interleaved(rounds, { parsed, read, byPhrases });
  const row = (id: string, what: string, measured: Samples) => {
    return rowOf({ id, what, measured, floor: { of: 'parsed alone', samples: found.parsed } });
  };
  const what = `a mail read with what was learnt (${mails.length} mails, ${index.size} notes)`;
  return [row('learnt', what, found.read), row('learnt.phrases', '… by phrases and forms alone', found.byPhrases)];
}

async function parsedAll(bytes: readonly Uint8Array[]): Promise<readonly StreamEvent[]> {
  const events: StreamEvent[] = [];
  for (const each of bytes) {
    const parsed = await parseMail('stream/mail/one.eml', each, DOOR);
    if (parsed.ok) events.push(parsed.event);
  }
  return events;
}

function readAll(events: readonly StreamEvent[], read: (event: StreamEvent) => unknown): void {
  for (const event of events) read(event);
}

async function timeOf(work: () => void | Promise<void>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}
