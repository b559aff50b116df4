import type { DaemonEvent } from '../../daemon/context/daemon-event.ts';
import { filesOf } from '../../daemon/ingest/readers.ts';
import { itemWords } from '../../stream/items/items-read.ts';
import { changeLines } from './change-text.ts';
import { clean, count, figure, local, whereOf } from './plain-text.ts';
import type { Printer } from './printer.ts';
import { keptText } from './status/print-retention.ts';

/** Prints one line for one thing that happened. */
export function printEvent(out: Printer, event: DaemonEvent): void {
  out.line(eventText(out, event));
}

/** Returns one clean line for one thing that happened, in the colours of `out`. */
export function eventText(out: Printer, event: DaemonEvent): string {
  switch (event.what) {
    case 'started':
      return `${out.paint('green', 'started')} on ${clean(event.vault)}: ${count(event.matters, 'matter')}, mode ${event.mode}`;
    case 'stopped':
      return 'stopped';
    case 'recovered':
      return `recovered: ${event.finished} finished, ${event.withdrawn} withdrawn after a crash`;
    case 'schedule-provisioned':
      return `schedule ${clean(event.name)} provisioned, ${clean(event.cadence)}, next ${event.next === 0 ? 'never' : local(new Date(event.next).toISOString())}`;
    case 'schedule-removed':
      return `schedule ${clean(event.name)} removed: ${clean(event.reason)}`;
    case 'ticked':
      return `tick ${clean(event.name)}: ${count(event.targets, 'note')} looked at, ${event.skipped === null ? count(event.events, 'event') : clean(event.skipped)}`;
    case 'skipped':
      return `tick ${clean(event.name)} skipped: ${clean(event.reason)}`;
    case 'stream-read':
      return `read ${clean(event.file)}: ${event.signals > 0 ? count(event.signals, 'signal') : event.reason === null ? 'its signals are there already' : `no signal (${clean(event.reason)})`}`;
    case 'items-read':
      return `read ${clean(event.file)}: ${count(event.signals, 'signal')} from ${itemWords(event.items)}${event.reason === null ? '' : `; ${clean(event.reason)}`}`;
    case 'kind-unread':
      return `${out.paint('yellow', 'not read')} ${clean(event.file)}: ${clean(filesOf(event.kind))} are not read; others of this kind are not named again`;
    case 'signal-written':
      return `${out.paint('cyan', 'signal')} ${clean(event.signal)} for ${event.candidates.length === 0 ? clean(event.target) : `one of ${event.candidates.map(clean).join(', ')} (ambiguous: never acted upon)`}: ${clean(event.headline)}`;
    case 'edits-passed':
      return `${count(event.edits, 'edit')} by hand passed over: ${clean(event.reason)}`;
    case 'asked':
      return `${out.paint('yellow', 'asked')} which note is meant, ${event.candidates.map(clean).join(' or ')} (${clean(event.signal)}) ${noteOf(out, event)}`;
    case 'acted':
    case 'confirmed':
      return `${out.paint('green', event.what)} ${clean(event.target)}: ${changeLines(event.changes).join('; ')} (${clean(event.decision)} ${figure(event.confidence)}) ${noteOf(out, event)}`;
    case 'proposed':
    case 'recorded':
      return `${out.paint('yellow', event.what)} ${clean(event.target)}: ${changeLines(event.changes).join('; ') || 'no change'} (${clean(event.decision)} ${figure(event.confidence)}; ${clean(event.reason).replace(/\.$/, '')}) ${noteOf(out, event)}`;
    case 'perceived':
      return `${out.paint('yellow', 'noticed')} ${clean(event.target)}: ${clean(event.sentence)} ${noteOf(out, event)}`;
    case 'dismissed':
      return `dismissed ${clean(event.target)} ${noteOf(out, event)}`;
    case 'closed':
      return `closed ${clean(event.target)}: ${clean(event.reason)} ${noteOf(out, event)}`;
    case 'refused':
      return `${out.paint('red', clean(event.outcome))} ${clean(event.file)}: ${clean(event.reason)}`;
    case 'reversed':
      return `${event.outcome === 'reversed' ? out.paint('magenta', 'reversed') : `undo: ${event.outcome}`} ${clean(event.target)} ${calibrationText(event.calibration)} ${noteOf(out, event)}`;
    case 'roundtable-round':
      return `roundtable ${clean(event.id)}: round ${event.round} closed${event.converged ? ', converged' : ''}`;
    case 'deliberated':
      return `deliberated: ${event.converged ? 'they agree' : 'they do not agree'}, in ${clean(event.folder)}, about ${clean(event.event)}`;
    case 'fetched':
      return `${out.paint('cyan', 'fetched')} ${clean(event.source)}: ${count(event.seen, 'new thing')}, ${event.taken === 0 ? 'none' : event.taken} put into stream/`;
    case 'plane':
      return `${out.paint('cyan', 'plane')} ${event.wants === 'said' ? 'told' : 'taken back'}${event.remark === null ? '' : `: ${clean(event.remark)}`} ${noteOf(out, event)}`;
    case 'notified':
      return `${out.paint('cyan', 'told')} by ${event.channel}: ${event.things === 0 ? 'the digest' : count(event.things, 'thing')}`;
    case 'notice':
      return `${out.paint('yellow', 'notice')} ${clean(event.text)}`;
    case 'settings':
      return event.troubles === 0
        ? 'settings read again'
        : `settings read again: ${count(event.troubles, 'value')} kept as before`;
    case 'retention':
      return `${out.paint('yellow', 'retention')}: from ${local(new Date(event.from).toISOString())} on, ${keptText(event)}`;
    case 'retired':
      return `removed ${count(event.streams, 'stream file')}, ${count(event.events, 'event')} and ${count(event.signals, 'signal')} that were settled and old (in .steward/history for 7 days more)`;
    case 'away':
      return `${out.paint('red', 'the vault is away')}: ${clean(event.reason)}; nothing is removed, nothing is written`;
    case 'back':
      return 'the vault is back';
    case 'unsaid':
      return `${out.paint('red', 'unsaid')}: ${count(event.lines, 'line')} could not be written since ${local(new Date(event.since).toISOString())}: ${clean(event.reason)}`;
    case 'trouble':
      return `${out.paint('red', 'trouble')} ${event.trouble.file === null ? '' : `${clean(whereOf(event.trouble))}: `}${clean(event.trouble.message)} ${clean(event.trouble.hint)}`;
  }
}

function noteOf(out: Printer, { event }: { readonly event: string }): string {
  return out.paint('dim', clean(event));
}

function calibrationText(calibration: Readonly<Record<string, string>>): string {
  const moved = Object.entries(calibration).map(([source, text]) => `${clean(source)} ${clean(text)}`);
  return moved.length === 0 ? '' : `(${moved.join(', ')})`;
}
