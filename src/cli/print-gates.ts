import type { HeldBack, Status } from '../daemon/status.ts';
import { count } from './print/plain-text.ts';

type Gates = Status['gates'];

/** In lines: what was asked of models, whoever asked, and which matters and tasks were looked at. */
const LINES = [
  ['questions to models', { minute: 'minute', hour: 'hour', day: 'day' }],
  [
    'looks at matters and tasks',
    { minute: 'looks_minute', hour: 'looks_hour', day: 'looks_day', 'one task': 'task', 'one matter': 'matter' },
  ],
] as const;

/** Returns how full the windows of the rate guard are, in lines: none where nothing is known of it. */
export function guardLines({ rateGuard }: Pick<Gates, 'rateGuard'>): string[] {
  return LINES.flatMap(([name, windows]) => {
    const shown = Object.entries(windows).flatMap(([word, key]) => {
      const window = rateGuard[key];
      return window === undefined ? [] : [`${word} ${window.used}/${window.cap}`];
    });
    return shown.length === 0 ? [] : [`rate guard, ${name}: ${shown.join(', ')}`];
  });
}

/** Returns what waits for room, in lines: `12 files wait to be read: 60 questions a minute are reached, goes on at 09:14`. */
export function heldLines({ held }: { readonly held?: readonly HeldBack[] }): string[] {
  return (held ?? []).map((one) => `${waitWords(one)}: ${one.reason}`); // none in a status that an earlier version left
}

function waitWords({ what, count: many }: HeldBack): string {
  const verb = many === 1 ? 'waits' : 'wait';
  return what === 'files' ? `${count(many, 'file')} ${verb} to be read` : `${count(many, 'note')} ${verb} to be judged`;
}
