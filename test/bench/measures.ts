import type { Row } from './figures/row.ts';
import type { Bench } from './vaults.ts';

/** One thing that can be measured by itself. */
interface Measure {
  readonly name: string;
  readonly what: string;
  /** What `--size` means for it; null: it has a size of its own. */
  readonly size: string | null;
  /** Whether it starts the real program, which is built first. */
  readonly isBuilt: boolean;
  /** Its modules are loaded when it is measured: till then they weigh on nothing else. */
  run(bench: Bench): Promise<Row[]>;
}

/** All that is measured, in the order of a whole run. */
export const MEASURES: readonly Measure[] = [
  real('whole', 'steward run ÷ forty lines, as processes', 'notes, besides', async (bench) => {
    return (await import('./rest/whole.ts')).measureWhole(bench);
  }),
  real('blocks', 'the longest block of the event loop', 'notes, besides', async (bench) => {
    return (await import('./rest/blocks.ts')).measureBlocks(bench);
  }),
  real('rest', 'memory, processor, bytes at rest', 'notes, besides', async (bench) => {
    return (await import('./rest/at-rest.ts')).measureRest(bench);
  }),
  real('many', 'many small vaults in one process', 'vaults, besides', async (bench) => {
    return (await import('./many/many.ts')).measureMany(bench);
  }),
  real('ends', 'a stop, and a start after SIGKILL', 'notes, besides', async (bench) => {
    return (await import('./rest/ends.ts')).measureEnds(bench);
  }),
  inProcess('signals', 'a signal → note and event ÷ 3 synced files', async (bench) => {
    return (await import('./acts/signals.ts')).measureSignals(bench);
  }),
  inProcess('undo', 'undo ÷ write-file-atomic', async (bench) => {
    return (await import('./acts/undo.ts')).measureUndo(bench);
  }),
  inProcess('edit', 'an edit that keeps attributes', async (bench) => {
    return (await import('./acts/edit.ts')).measureEdit(bench);
  }),
  inProcess('tick', 'a tick without signals, in growing vaults', async (bench) => {
    return (await import('./acts/tick.ts')).measureTick(bench);
  }),
  real('drop', 'a mail moved into the vault → its signal', null, async (bench) => {
    return (await import('./acts/drop.ts')).measureDrop(bench);
  }),
  real('status', 'commands ÷ node -e 0', null, async (bench) => {
    return (await import('./commands/status.ts')).measureStatus(bench);
  }),
  real('lookup', 'steward lookup ÷ jq, ÷ ripgrep', null, async (bench) => {
    return (await import('./commands/lookup.ts')).measureLookup(bench);
  }),
  real('mails', 'mails judged ÷ parsed + synced files', null, async (bench) => {
    return (await import('./mailbox/mails.ts')).measureMails(bench);
  }),
  real('mailbox', 'splitting and importing a mailbox', null, async (bench) => {
    const [{ measureSplitting }, { measureReading }] = await Promise.all([
      import('./mailbox/splitting.ts'),
      import('./mailbox/reading.ts'),
    ]);
    return [...(await measureSplitting(bench)), ...(await measureReading(bench))];
  }),
  real('bulk', 'a statement ÷ csv-parse; a rehearsal', null, async (bench) => {
    return (await import('./mailbox/bulk.ts')).measureBulk(bench);
  }),
  inProcess('history', 'a mail after a long history', async (bench) => {
    return (await import('./acts/history.ts')).measureHistory(bench);
  }),
  inProcess('learnt', 'reading with what was learnt', async (bench) => {
    return (await import('./acts/learnt.ts')).measureLearnt(bench);
  }),
  real('years', 'what many years leave behind', 'events and signals', async (bench) => {
    return (await import('./years/years.ts')).measureYears(bench);
  }),
  real('sources', 'ten mailboxes and five calendars', null, async (bench) => {
    return (await import('./sources/load.ts')).measureSources(bench);
  }),
];

function inProcess(name: string, what: string, run: Measure['run']): Measure {
  return { name, what, size: null, isBuilt: false, run };
}

function real(name: string, what: string, size: string | null, run: Measure['run']): Measure {
  return { name, what, size, isBuilt: true, run };
}
