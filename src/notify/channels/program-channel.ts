import { runProgram } from '../../source/command/program.ts';
import { type NotSentKind, notSent, type Sent } from '../channel.ts';

const LIMIT_MS = 30_000;
const GRACE_MS = 2_000;
const MAX_BYTES = 64 * 1024;
/** What a shell says of a program that is not there, or may not be run. */
const NOT_THERE = [126, 127];
/** EX_TEMPFAIL of sysexits(3). */
const TRY_AGAIN = 75;
/** What a program that shows or sends something needs of the environment. There are keys in the rest of it. */
const KEPT =
  /^(?:PATH|HOME|LANG|TZ|LC_[A-Z]{1,30}|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY)$/;

type Variables = Readonly<Record<string, string | undefined>>;

/** A program that is told of a message, and how it is called where it fails. */
export interface Teller {
  readonly argv: readonly string[];
  /** The variables of this process, of which it is given a few. */
  readonly own: Variables;
  /** What it is given besides. */
  readonly more: Readonly<Record<string, string>>;
  readonly input: string;
  readonly name: string;
  readonly missing: string;
}

/** Runs a program that takes a message. What it prints is not read. Never throws. */
export async function toldBy({ argv, own, more, input, name, missing }: Teller, abort: AbortSignal): Promise<Sent> {
  const failed = (kind: NotSentKind, how: string, hint: string) => notSent(kind, `${name} ${how}.`, hint);
  try {
    const limits = { limitMs: LIMIT_MS, graceMs: GRACE_MS, maxBytes: MAX_BYTES };
    const environment = { ...kept(own), ...more };
    const ended = await runProgram({ argv, environment, input, ...limits }, () => true, abort);
    if (ended.how === 'exit' && ended.code === 0) return { ok: true };
    if (ended.how === 'exit' && NOT_THERE.includes(ended.code)) return failed('missing', 'cannot be run here', missing);
    if (ended.how === 'exit' && ended.code === TRY_AGAIN) return failed('away', 'asks to try again later', AGAIN);
    if (ended.how === 'exit') return failed('uncertain', `ended with ${ended.code}`, NOT_AGAIN);
    return failed(
      'uncertain',
      ended.how === 'late' ? `took more than ${LIMIT_MS / 1000} seconds` : 'was ended',
      NOT_AGAIN,
    );
  } catch {
    if (abort.aborted) return notSent('ended', 'The steward was stopped.', '');
    return failed('missing', 'cannot be run here', missing);
  }
}

const AGAIN = 'It is tried again, less and less often.';
const NOT_AGAIN = 'What it was told is not told again; it is in `steward inbox`. Run it by hand to see what it says.';

function kept(own: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(own).flatMap(([name, value]) => (value !== undefined && KEPT.test(name) ? [[name, value]] : [])),
  );
}
