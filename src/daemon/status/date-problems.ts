import { parseLocalTime, SET_BACK_LIMIT } from '../../steward/schedule/cadence.ts';
import { type Diagnostic, diagnostic } from '../../vault/errors.ts';
import type { SignalRecord, TargetRecord, TaskRecord } from '../../vault/index/record.ts';
import type { Context, DatedDiagnostic, IndexAccess } from '../context/ports.ts';
import { fieldLocation } from './field-location.ts';

const YEAR = 366 * 24 * 60 * 60 * 1000;
const FAR = 10 * YEAR;
/** How far the clocks of two machines may differ before either counts as wrong. */
const CLOCK_SLACK = 2 * 60 * 1000;
const DATES = ['due', 'scheduled', 'snoozed_until', 'next_check_after'] as const;
type DateField = (typeof DATES)[number];

const WITHOUT: Readonly<Record<DateField, string>> = {
  due: 'until then the task is looked after as if it had none',
  scheduled: 'until then it is read as words',
  snoozed_until: 'until then the task is looked at every 4 hours',
  next_check_after: 'until then nothing is held back',
};

/** Returns a diagnostic that holds at any time. */
export function atAnyTime(one: Diagnostic): DatedDiagnostic {
  return { trouble: one, from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
}

/** Returns a problem where the clock was set back: a schedule last fired at a moment that is still in the future. */
export function clockProblems(context: Context): Diagnostic[] {
  const now = context.now();
  const last = Object.values(context.state.get('schedules')).reduce((most, one) => Math.max(most, one.last ?? 0), 0);
  if (last <= now + CLOCK_SLACK) return [];
  const [was, is] = [last, now].map((at) => new Date(at).toISOString().slice(0, 16));
  const effect =
    last > now + SET_BACK_LIMIT ? ' by more than a week; schedules start anew' : '; schedules wait until then';
  return [
    diagnostic({
      code: 'clock-set-back',
      message: `The clock says ${is}Z, but a schedule has fired at ${was}Z: it was set back${effect}.`,
      hint: 'Mend the clock if it is wrong now. Signals still count meanwhile; `steward tick --force` looks at once.',
    }),
  ];
}

/** Returns a problem where a signal is dated in the future. It is used all the same, as one of this moment. */
export function futureSignal(space: IndexAccess, signal: SignalRecord): DatedDiagnostic[] {
  if (signal.fields.status === 'applied') return [];
  const future = (['origin_at', 'created'] as const).flatMap((field) => {
    const at = parseLocalTime(signal.fields[field] ?? '');
    return at === null || at <= space.context.now() + CLOCK_SLACK ? [] : [{ field, at }];
  });
  const [first] = future.toSorted((one, other) => other.at - one.at);
  if (first === undefined) return [];
  const text = {
    code: 'signal-from-future',
    message: `The signal says ${first.field}: ${signal.fields[first.field]}, which lies in the future; it counts from now.`,
    hint: 'Check the clock of the machine that wrote it; the signal is weighed all the same.',
  };
  return [dated(space, signal.path, first.field, text, Number.NEGATIVE_INFINITY, first.at)];
}

/** Returns the dates of a note that are probably wrong: no date, one more than ten years away, a snooze that is over. */
export function targetDates(space: IndexAccess, target: TargetRecord): DatedDiagnostic[] {
  if (target.fields.state === 'done' || target.fields.state === 'archived' || !target.fields.steward) return [];
  const written = (field: DateField) =>
    field === 'next_check_after'
      ? target.fields.next_check_after
      : target.kind === 'task'
        ? target.fields[field]
        : null;
  return [
    ...DATES.flatMap((field) => dateProblem(space, target.path, field, written(field))),
    ...(target.kind === 'task' && target.fields.state === 'snoozed'
      ? snoozeProblem(space, target, target.fields.snoozed_until)
      : []),
  ];
}

function dateProblem(space: IndexAccess, file: string, field: DateField, written: string | null): DatedDiagnostic[] {
  if (written === null) return [];
  const at = parseLocalTime(written);
  if (at !== null) return farProblem(space, file, field, written, at);
  const text = {
    code: 'date-invalid',
    message: `${field} is ${JSON.stringify(written.slice(0, 60))}, which is no date.`,
    hint: `Write it as 2026-12-01 or 2026-12-01T09:30; ${WITHOUT[field]}.`,
  };
  return [dated(space, file, field, text)];
}

function farProblem(
  space: IndexAccess,
  file: string,
  field: DateField,
  written: string,
  at: number,
): DatedDiagnostic[] {
  if (at - FAR <= space.context.now()) return [];
  const text = {
    code: 'date-far',
    message: `${field} is ${written}, more than ten years from now.`,
    hint: 'Mend it if it is a slip; until then it holds.',
  };
  return [dated(space, file, field, text, Number.NEGATIVE_INFINITY, at - FAR)];
}

function snoozeProblem(space: IndexAccess, target: TaskRecord, until: string | null): DatedDiagnostic[] {
  const file = target.path;
  const hint =
    'Give snoozed_until a date to come, or set the state to open; meanwhile it is looked at like an open task.';
  if (until === null) {
    const text = { code: 'snooze-without-date', message: 'The task is snoozed without a date.', hint };
    return [dated(space, file, 'state', text)];
  }
  const at = parseLocalTime(until);
  // Where the task is looked at by itself, that it is over is put to the person as such.
  const isSeen = target.fields.surface_class !== 'none' && space.vault.catalogue.matterOf(target) !== null;
  if (at === null || isSeen) return [];
  return [
    dated(space, file, 'snoozed_until', { code: 'snooze-over', message: `The snooze ended ${until}.`, hint }, at),
  ];
}

function dated(
  space: IndexAccess,
  file: string,
  field: string,
  text: { readonly code: string; readonly message: string; readonly hint: string },
  from = Number.NEGATIVE_INFINITY,
  until = Number.POSITIVE_INFINITY,
): DatedDiagnostic {
  let known: Diagnostic | null = null;
  return {
    // The location is looked up only when the problem is shown, because most snoozes are never asked about.
    get trouble() {
      known ??= diagnostic({ ...text, file, ...fieldLocation(space, file, field) });
      return known;
    },
    from,
    until,
  };
}
