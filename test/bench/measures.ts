import { measureEdit } from './acts/edit.ts';
import { measureHistory } from './acts/history.ts';
import { measureLearnt } from './acts/learnt.ts';
import { measureSignals } from './acts/signals.ts';
import { measureTick } from './acts/tick.ts';
import { measureUndo } from './acts/undo.ts';
import { measureLookup } from './commands/lookup.ts';
import { measureStatus } from './commands/status.ts';
import type { Row } from './figures/row.ts';
import { measureMails } from './mailbox/mails.ts';
import { measureReading } from './mailbox/reading.ts';
import { measureSplitting } from './mailbox/splitting.ts';
import { measureRest } from './rest/at-rest.ts';
import { measureBlocks } from './rest/blocks.ts';
import { measureEnds } from './rest/ends.ts';
import { measureSources } from './sources/load.ts';
import { measureStart } from './start/start.ts';
import { measureWhole } from './start/whole.ts';
import type { Bench } from './vaults.ts';
import { measureYears } from './years/years.ts';

/** One thing that can be measured by itself. */
interface Measure {
  readonly name: string;
  readonly what: string;
  /** What `--size` means for it; null: it has a size of its own. */
  readonly size: string | null;
  run(bench: Bench): Promise<Row[]>;
}

/** All that is measured, in the order of a whole run. */
export const MEASURES: readonly Measure[] = [
  { name: 'start', what: 'a start until it listens ÷ walk + read', size: null, run: measureStart },
  { name: 'whole', what: 'steward run ÷ forty lines, as processes', size: 'notes, besides', run: measureWhole },
  { name: 'blocks', what: 'the longest block of the event loop', size: 'notes, besides', run: measureBlocks },
  { name: 'rest', what: 'memory, processor, bytes at rest', size: 'notes, besides', run: measureRest },
  { name: 'ends', what: 'a stop, and a start after SIGKILL', size: 'notes, besides', run: measureEnds },
  { name: 'signals', what: 'a signal → note and event ÷ 3 synced files', size: null, run: measureSignals },
  { name: 'undo', what: 'undo ÷ write-file-atomic', size: null, run: measureUndo },
  { name: 'edit', what: 'an edit that keeps attributes', size: null, run: measureEdit },
  { name: 'tick', what: 'a tick without signals, in growing vaults', size: null, run: measureTick },
  { name: 'status', what: 'steward status ÷ node -e 0', size: null, run: measureStatus },
  { name: 'lookup', what: 'steward lookup ÷ jq, ÷ ripgrep', size: null, run: measureLookup },
  { name: 'mails', what: 'mails judged ÷ parsed + synced files', size: null, run: measureMails },
  { name: 'mailbox', what: 'splitting and importing a mailbox', size: null, run: mailbox },
  { name: 'history', what: 'a mail after a long history', size: null, run: measureHistory },
  { name: 'learnt', what: 'reading with what was learnt', size: null, run: measureLearnt },
  { name: 'years', what: 'what many years leave behind', size: 'events and signals', run: measureYears },
  { name: 'sources', what: 'ten mailboxes and five calendars', size: null, run: measureSources },
];

async function mailbox(bench: Bench): Promise<Row[]> {
  return [...(await measureSplitting(bench)), ...(await measureReading(bench))];
}
