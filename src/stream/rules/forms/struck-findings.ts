import type { StreamEvent } from '../../../steward/ports/stream-event.ts';
import type { DateOrigin } from '../../dates/origin.ts';
import type { Finding } from '../finding.ts';
import { dayClaim, denied, formFinding } from './claims.ts';
import { dayAt, onlyDayIn } from './day.ts';

const CONFIDENCE = 0.8;

/** Returns the days that a mail gives in place of crossed-out ones: on the same line, or on the next. */
export function struckFindings(event: StreamEvent, origin: DateOrigin): readonly Finding[] {
  return (event.forms?.struck ?? []).flatMap((struck) => moved(struck, event, origin));
}

function moved(struck: string, { text, originAt }: StreamEvent, origin: DateOrigin): readonly Finding[] {
  const before = dayAt(struck, origin);
  const at = before === null ? -1 : text.indexOf(struck);
  if (at === -1 || text.includes(struck, at + 1)) return [];
  const line = { start: text.lastIndexOf('\n', at) + 1, end: endOfLine(text, at) };
  const next = { start: Math.min(text.length, line.end + 1), end: endOfLine(text, line.end + 1) };
  for (const [where, words] of [
    [line, `${text.slice(line.start, at)} ${text.slice(at + struck.length, line.end)}`],
    [next, text.slice(next.start, next.end)],
  ] as const) {
    const day = onlyDayIn(words.replace(/\s+/g, ' ').trim(), origin);
    if (day === null || day === before) continue;
    const around = `${text.slice(Math.max(0, line.start - 150), line.start)} ${text.slice(line.start, where.end)}`;
    const place = { text, ...where, around, references: [], isSubject: false };
    const finding = formFinding(
      dayClaim(day, 'crossed out'),
      CONFIDENCE,
      place,
      'a day is crossed out, and this one stands beside it',
    );
    return [
      originAt !== null && day < originAt.slice(0, 10) ? denied(finding, 'the day lies before the mail') : finding,
    ];
  }
  return [];
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}
