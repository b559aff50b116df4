import type { RetentionStatus } from '../../daemon/retention.ts';
import { count, local } from './plain-text.ts';
import type { Printer } from './printer.ts';

/** Returns what leaves the vault in time, in words. */
export function keptText({ streamDays, eventDays }: Pick<RetentionStatus, 'streamDays' | 'eventDays'>): string {
  const parts = [
    ...(streamDays === null ? [] : [`read stream files leave the vault after ${count(streamDays, 'day')}`]),
    ...(eventDays === null ? [] : [`records without a change leave it after ${count(eventDays, 'day')}`]),
  ];
  return parts.join(', ');
}

/** Prints what leaves the vault in time, and what has left it; nothing where everything is kept. */
export function printRetention(out: Printer, retention: RetentionStatus | null): void {
  if (retention === null) return;
  const { last, next } = retention;
  out.heading('Retention');
  out.line(`  ${keptText(retention)}`);
  if (next !== null) out.line(`  next look ${local(next)}`);
  const { streams, events, signals } = last;
  if (streams + events + signals === 0) return;
  const all = [count(streams, 'stream file'), count(events, 'event'), count(signals, 'signal')];
  out.line(`  last removed: ${all.join(', ')}; .steward/history keeps them for 7 days`);
}
