import path from 'node:path';
import { runProgram } from '../daemon/program.ts';
import { type Channel, type NotSentKind, notSent, type SendResult } from './channel.ts';

const LIMITS = { limitMs: 30_000, graceMs: 2_000, maxBytes: 64 * 1024 };
/** Exit codes of a shell for a program that is missing, or may not be run. */
const NOT_THERE = [126, 127];
/** EX_TEMPFAIL of sysexits(3). */
const TRY_AGAIN = 75;
/** What a program that shows or sends something needs of the environment. The rest holds keys. */
const KEPT =
  /^(?:PATH|HOME|LANG|TZ|LC_[A-Z]{1,30}|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY)$/;
const AGAIN = 'Steward tries again, with growing pauses.';
const NOT_AGAIN =
  "Steward doesn't send this message again; it is in `steward inbox`. Run the command by hand to see its output.";

type Variables = Readonly<Record<string, string | undefined>>;

/** Gives messages to a person's own program, by its input and variables. It is started without a shell. */
export function commandChannel(argv: readonly string[], own: Variables): Channel {
  const name = path.basename(argv[0] ?? '');
  return {
    name: 'command',
    place: name,
    send: (message, abort) => {
      const json = JSON.stringify(message);
      const more = {
        STEWARD_MESSAGE: json,
        STEWARD_MESSAGE_TITLE: message.title,
        STEWARD_MESSAGE_TEXT: message.text,
        STEWARD_MESSAGE_LINK: message.link,
      };
      const missing = 'STEWARD_NOTIFY_COMMAND must name a program that may be run, by its whole path.';
      return sendByProgram({ argv, own, more, input: `${json}\n`, name, missing }, abort);
    },
  };
}

interface Program {
  readonly argv: readonly string[];
  /** The variables of this process. The program gets a few of them. */
  readonly own: Variables;
  /** Further variables for the program. */
  readonly more: Readonly<Record<string, string>>;
  readonly input: string;
  /** Its name in error messages. */
  readonly name: string;
  /** The hint if it can't be run. */
  readonly missing: string;
}

/** Runs a program that takes a message. Its output isn't read. Never throws. */
async function sendByProgram(program: Program, abort: AbortSignal): Promise<SendResult> {
  const { argv, own, more, input, name, missing } = program;
  const failed = (kind: NotSentKind, how: string, hint: string) => notSent(kind, `${name} ${how}.`, hint);
  try {
    const environment = { ...neededOf(own), ...more };
    const ended = await runProgram({ argv, environment, input, ...LIMITS }, () => true, abort);
    if (ended.how === 'late') return failed('uncertain', `took more than ${LIMITS.limitMs / 1000} seconds`, NOT_AGAIN);
    if (ended.how !== 'exit') return failed('uncertain', 'was ended', NOT_AGAIN);
    if (ended.code === 0) return { ok: true };
    if (NOT_THERE.includes(ended.code)) return failed('missing', 'cannot be run here', missing);
    if (ended.code === TRY_AGAIN) return failed('away', 'asks to try again later', AGAIN);
    return failed('uncertain', `ended with ${ended.code}`, NOT_AGAIN);
  } catch {
    if (abort.aborted) return notSent('ended', 'Steward was stopped.', '');
    return failed('missing', 'cannot be run here', missing);
  }
}

function neededOf(own: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(own).flatMap(([name, value]) => (value !== undefined && KEPT.test(name) ? [[name, value]] : [])),
  );
}

/** Shows messages on the screen of this machine. `own`: the variables of this process. */
export function desktopChannel(own: Readonly<Record<string, string | undefined>>): Channel {
  return {
    name: 'desktop',
    place: 'this screen',
    send: ({ title, text }, abort) =>
      sendByProgram(
        {
          // After `--`, text that begins with a hyphen isn't an option. A desktop may read marks in the text as HTML.
          argv: ['notify-send', '--app-name=steward', '--', title, withoutMarks(text)],
          own,
          more: {},
          input: '',
          name: 'notify-send',
          missing: 'Install it (libnotify-bin, or libnotify), or unset STEWARD_NOTIFY_DESKTOP.',
        },
        abort,
      ),
  };
}

function withoutMarks(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
