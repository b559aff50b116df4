import type { DaemonEvent } from '../../daemon/environment.ts';
import { filesOf } from '../../stream/endings.ts';
import { itemWords } from '../../stream/items-read.ts';
import type { Diagnostic } from '../../vault/errors.ts';
import type { Changes } from '../../vault/records.ts';
import { changeLines } from '../print.ts';
import { clean, count, figure, local, whereOf } from './plain-text.ts';
import { keptText } from './print-retention.ts';
import type { Printer } from './printer.ts';

/** `whole`: with what notes and mails say. `figures`: what happened to which note, and figures; for a log that others keep. */
export type Detail = 'whole' | 'figures';

/** Prints one line for one thing that happened, with all that is to say of it. */
export function printEvent(out: Printer, event: DaemonEvent): void {
  out.line(eventText(out, event, 'whole'));
}

/** Returns one clean line for one thing that happened, in the colours of `out`. */
export function eventText(out: Printer, event: DaemonEvent, detail: Detail): string {
  // What is a person's own words, a mail's or a model's stands behind this.
  const because = (text: string | null, before = ': ', after = '') =>
    detail === 'figures' || text === null || text === '' ? '' : `${before}${clean(text)}${after}`;
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
      return `schedule ${clean(event.name)} removed${because(event.reason)}`;
    case 'ticked':
      return `tick ${clean(event.name)}: ${count(event.targets, 'note')} looked at, ${because(event.skipped, '') || count(event.events, 'event')}`;
    case 'skipped':
      return `tick ${clean(event.name)} skipped: ${clean(event.reason)}`;
    case 'stream-read':
      return `read ${clean(event.file)}: ${event.signals > 0 ? count(event.signals, 'signal') : event.reason === null ? 'known already' : `no signal${because(event.reason, ' (', ')')}`}`;
    case 'items-read':
      return `read ${clean(event.file)}: ${count(event.signals, 'signal')} from ${itemWords(event.items)}${because(event.reason, '; ')}`;
    case 'kind-unread':
      return `${out.paint('yellow', 'not read')} ${clean(event.file)}: the steward cannot read ${clean(filesOf(event.kind))}; further ones are passed over in silence`;
    case 'signal-written':
      return `${out.paint('cyan', 'signal')} ${clean(event.signal)} for ${event.candidates.length === 0 ? clean(event.target) : `one of ${event.candidates.map(clean).join(', ')} (you are asked which)`}${because(event.headline)}`;
    case 'edits-passed':
      return `${count(event.edits, 'edit')} by hand passed over: ${clean(event.reason)}`;
    case 'asked':
      return `${out.paint('yellow', 'asked')} which note is meant, ${event.candidates.map(clean).join(' or ')} (${clean(event.signal)}) ${noteOf(out, event)}`;
    case 'acted':
    case 'confirmed':
      return `${out.paint('green', event.what)} ${clean(event.target)}: ${changesText(event.changes, detail)} (${because(event.decision, '', ' ')}${figure(event.confidence)}) ${noteOf(out, event)}`;
    case 'proposed':
    case 'recorded':
      return `${out.paint('yellow', event.what)} ${clean(event.target)}: ${changesText(event.changes, detail) || 'no change'} (${because(event.decision, '', ' ')}${figure(event.confidence)}${because(event.reason.replace(/\.$/, ''), '; ')}) ${noteOf(out, event)}`;
    case 'perceived':
      return `${out.paint('yellow', 'noticed')} ${clean(event.target)}${because(event.sentence)} ${noteOf(out, event)}`;
    case 'dismissed':
      return `dismissed ${clean(event.target)} ${noteOf(out, event)}`;
    case 'closed':
      return `closed ${clean(event.target)}${because(event.reason)} ${noteOf(out, event)}`;
    case 'refused':
      return `${out.paint('red', clean(event.outcome))} ${clean(event.file)}${because(event.reason)}`;
    case 'reversed':
      return [
        event.outcome === 'reversed' ? out.paint('magenta', 'reversed') : `undo: ${event.outcome}`,
        clean(event.target),
        detail === 'whole' ? calibrationText(event.calibration) : '',
        noteOf(out, event),
      ]
        .filter((part) => part !== '')
        .join(' ');
    case 'roundtable-round':
      return `roundtable ${clean(event.id)}: round ${event.round} closed${event.converged ? ', converged' : ''}`;
    case 'deliberated':
      return `deliberated: ${event.converged ? 'they agree' : 'they disagree'}, in ${clean(event.folder)}, about ${clean(event.event)}`;
    case 'fetched':
      return `${out.paint('cyan', 'fetched')} ${clean(event.source)}: ${count(event.seen, 'new thing')}, ${event.taken === 0 ? 'none' : event.taken} put into stream/`;
    case 'plane':
      return `${out.paint('cyan', 'plane')} ${event.wants === 'said' ? 'told' : 'taken back'}${because(event.remark)} ${noteOf(out, event)}`;
    case 'notified':
      return `${out.paint('cyan', 'told')} by ${event.channel}: ${event.things === 0 ? 'the digest' : count(event.things, 'thing')}`;
    case 'notice':
      return `${out.paint('yellow', 'notice')} ${clean(event.text)}`;
    case 'settings':
      return event.troubles === 0
        ? 'settings read again'
        : `settings read again: ${count(event.troubles, 'unusable value')}, the former kept`;
    case 'retention':
      return `${out.paint('yellow', 'retention')}: from ${local(new Date(event.from).toISOString())} on, ${keptText(event)}`;
    case 'retired':
      return `removed ${count(event.streams, 'stream file')}, ${count(event.events, 'event')} and ${count(event.signals, 'signal')}, all old and settled; .steward/history keeps them for 7 days`;
    case 'away':
      return `${out.paint('red', 'the vault is away')}: ${clean(event.reason)}; nothing is written until it is back`;
    case 'back':
      return 'the vault is back';
    case 'unsaid':
      return `${out.paint('red', 'unsaid')}: ${count(event.lines, 'line')} could not be written since ${local(new Date(event.since).toISOString())}: ${clean(event.reason)}`;
    case 'unkept':
      return `${out.paint('red', 'not kept')}, tried again at ${clock(event.again)}: ${troubleText(event.trouble, detail)}`;
    case 'let-go':
      return 'let go: its folder is gone';
    case 'keeping':
      return `${event.running} of ${count(event.vaults, 'vault')} looked after`;
    case 'fault':
      return [
        `${out.paint('red', 'unexpected error')} in ${clean(event.component)}: ${troubleText(event.trouble, detail)}`,
        ...event.stack.split('\n').flatMap((frame) => (frame === '' ? [] : [`\t${clean(frame)}`])),
      ].join('\n');
    case 'trouble':
      return `${out.paint('red', 'trouble')} ${troubleText(event.trouble, detail)}`;
  }
}

// A message may quote the note. Its code says what it is about, and `steward status` the rest.
function troubleText(trouble: Diagnostic, detail: Detail): string {
  const where = trouble.file === null ? '' : clean(whereOf(trouble));
  if (detail === 'figures')
    return `${[clean(trouble.code), where].filter((part) => part !== '').join(' in ')}; \`steward status\` says what to do`;
  return `${where === '' ? '' : `${where}: `}${clean(trouble.message)} ${clean(trouble.hint)}`;
}

function clock(ms: number): string {
  return local(new Date(ms).toISOString()).slice('YYYY-MM-DD '.length);
}

function changesText(changes: Changes, detail: Detail): string {
  return detail === 'whole' ? changeLines(changes).join('; ') : Object.keys(changes).map(clean).join(', ');
}

function noteOf(out: Printer, { event }: { readonly event: string }): string {
  return out.paint('dim', clean(event));
}

function calibrationText(calibration: Readonly<Record<string, string>>): string {
  const moved = Object.entries(calibration).map(([source, text]) => `${clean(source)} ${clean(text)}`);
  return moved.length === 0 ? '' : `(${moved.join(', ')})`;
}
