import { createInterface } from 'node:readline';
import type { WaitingEntry } from '../../steward/inbox.ts';
import { isDone, NOUNS } from '../../steward/inbox-words.ts';
import type { AnswerRecord } from '../../steward/types.ts';
import { EXIT, type ExitCode, StewardError } from '../../vault/errors.ts';
import { stem } from '../../vault/layout.ts';
import { handOver } from '../client.ts';
import { parseTitle, printCame, printDecision, printReason, showMail, showNote } from '../inbox-view.ts';
import { attentionText } from '../print.ts';
import { CLOSED, Terminal } from '../screen.ts';
import { type CommandContext, type CommandResult, clean, count, type Printer } from '../terminal.ts';
import { statusNow } from './status.ts';

// Loaded only if somebody answers: `steward inbox --list` prints in the time it takes to ask the daemon.

/** Goes through what waits on a terminal, a key for each answer; null if there is no terminal that can. */
export async function answerByKeys(
  context: CommandContext,
  root: string,
  waiting: readonly WaitingEntry[],
): Promise<ExitCode | null> {
  using terminal = Terminal.open(context.env, false);
  return terminal === null ? null : await answerInbox(context, root, waiting, new KeyAsker(context.out, terminal));
}

/** Goes through what waits line by line: for a pipe, or a terminal that can't move its cursor. */
export async function answerByLines(
  context: CommandContext,
  root: string,
  waiting: readonly WaitingEntry[],
): Promise<ExitCode> {
  using lines = new LineAsker(context.out);
  return await answerInbox(context, root, waiting, lines);
}

interface Given {
  readonly what: 'confirm' | 'always' | 'dismiss' | 'later' | 'force';
  readonly note: string | null;
}

/** The result of an answer. `undoable`: the notes to name to undo it. */
interface Came {
  readonly isDone: boolean;
  readonly undoable: readonly string[];
}

const NOTHING: Came = { isDone: false, undoable: [] };

/** Carries out answers as the commands do, each with a note of its own, and prints what came of each. */
class Answers {
  readonly #context: CommandContext;
  readonly #root: string;

  constructor(context: CommandContext, root: string) {
    this.#context = context;
    this.#root = root;
  }

  /** Answers the events of these names. */
  async give(events: readonly string[], { what, note }: Given): Promise<Came> {
    const answers = await this.#tried(() =>
      what === 'force' ? this.#undo(events, true) : this.#answer(what, events, note),
    );
    const made = answers?.filter((answer) => isDone(answer) && isUndoable(answer)) ?? [];
    const undoable = made.flatMap((answer) => (answer.note === null ? [] : [stem(answer.note)]));
    return answers === null ? NOTHING : { isDone: answers.every(isDone), undoable };
  }

  /** Takes back what the notes of these names record. */
  async takeBack(names: readonly string[]): Promise<boolean> {
    const answers = await this.#tried(() => this.#undo(names, false));
    return answers?.every(isDone) === true;
  }

  // An entry that cannot be answered, such as one that was answered elsewhere in the meantime, does not end the round.
  async #tried(act: () => Promise<AnswerRecord[]>): Promise<AnswerRecord[] | null> {
    try {
      const answers = await act();
      printCame(this.#context.out, answers);
      return answers;
    } catch (error) {
      if (!(error instanceof StewardError) || error.exit === EXIT.tryAgain) throw error;
      this.#context.err.trouble(error.trouble);
      return null;
    }
  }

  #answer(
    what: 'confirm' | 'always' | 'dismiss' | 'later',
    events: readonly string[],
    choose: string | null,
  ): Promise<AnswerRecord[]> {
    const kind = what === 'confirm' || what === 'always' ? ('confirm' as const) : ('dismiss' as const);
    const given = { always: what === 'always', later: what === 'later' };
    const asked = { kind, events: [...events], choose, ...given, dryRun: false };
    const request = { op: 'answer' as const, ...asked, by: 'inbox' as const };
    return handOver(this.#context, this.#root, request, async (space) => {
      const { answerAll } = await import('../../daemon/answers.ts');
      return answerAll(space, request);
    });
  }

  #undo(events: readonly string[], force: boolean): Promise<AnswerRecord[]> {
    const asked = { events: [...events], last: null, reason: null, force, dryRun: false };
    const request = { op: 'undo' as const, ...asked, by: 'inbox' as const };
    return handOver(this.#context, this.#root, request, async (space) => {
      const { undoAll } = await import('../../daemon/answers.ts');
      return undoAll(space, request);
    });
  }
}

// A dismissed proposal waits again. A confirmation without a change has no effect to undo.
function isUndoable({ changes, note }: AnswerRecord): boolean {
  return Object.keys(changes).length > 0 || /-action-dismissed-/.test(note ?? '');
}

/** Asks the person: on a terminal key by key, else line by line. */
interface Asker {
  /** Returns the key of one of the ways, or other words where `takesWords`; null once the terminal is closed. */
  ask(ways: readonly Way[], takesWords: boolean): Promise<string | null>;
  /** Returns a part of the title of a note; empty if it is given up. */
  askNote(): Promise<string>;
}

/**
 * Goes through what can be answered, one by one or several together, and carries out each answer as the commands do. Exit 1
 * where one of them could not be carried out.
 */
async function answerInbox(
  context: CommandContext,
  root: string,
  waiting: readonly WaitingEntry[],
  asker: Asker,
): CommandResult {
  const entries = waiting.filter(({ answers, event }) => answers.length > 0 && event !== null);
  context.out.line(attentionText(waiting));
  const isAllDone = await new Round(context, root, entries, asker).go();
  return isAllDone ? EXIT.done : EXIT.refused;
}

/** An answer that was carried out. `names`: the notes that undo it. */
interface AnsweredEntries {
  readonly entries: readonly WaitingEntry[];
  readonly names: readonly string[];
}

const SKIP: Way = { key: 's', words: 'skip' };
const QUIT: Way = { key: 'q', words: 'quit' };
const UNDO: Way = { key: 'u', words: 'undo' };
const MAIL: Way = { key: 'e', words: 'mail' };
const NOTE: Way = { key: 'o', words: 'note' };
const REASON: Way = { key: 'r', words: 'reason' };
/** The key for a note that isn't among those that are shown. */
const OTHER_NOTE = 't';
const ANOTHER: Way = { key: OTHER_NOTE, words: 'another task' };

class Round {
  readonly #context: CommandContext;
  readonly #root: string;
  readonly #answers: Answers;
  readonly #entries: readonly WaitingEntry[];
  readonly #asker: Asker;
  readonly #over = new Set<WaitingEntry>();
  readonly #marked = new Set<WaitingEntry>();
  #at = 0;
  readonly #answered: AnsweredEntries[] = [];
  #isAllDone = true;

  constructor(context: CommandContext, root: string, entries: readonly WaitingEntry[], asker: Asker) {
    this.#context = context;
    this.#root = root;
    this.#answers = new Answers(context, root);
    this.#entries = entries;
    this.#asker = asker;
  }

  /** Returns whether every answer could be carried out. */
  async go(): Promise<boolean> {
    let goesOn = true;
    while (goesOn && this.#entries.length > 0) {
      const entry = this.#entries[this.#at];
      if (entry === undefined) goesOn = await this.#end();
      else if (this.#isSettled(entry)) this.#at += 1;
      else goesOn = await this.#one(entry);
    }
    return this.#isAllDone;
  }

  #isSettled(entry: WaitingEntry): boolean {
    return this.#over.has(entry) || this.#marked.has(entry);
  }

  /** Asks about one entry; returns whether the round goes on. */
  async #one(entry: WaitingEntry): Promise<boolean> {
    const { out } = this.#context;
    out.line();
    printDecision(out, entry, { withEvent: false });
    const takesWords = entry.answers.includes('choose') && entry.candidates.length > 0;
    let said = await this.#ask(this.#waysFor(entry), takesWords);
    while (await this.#show(entry, said)) said = await this.#ask(this.#waysFor(entry), takesWords);
    if (said === 'u') return this.#takeBack();
    if (said === 'q') return this.#leave();
    if (said === 's') this.#at += 1;
    else if (said === 'm') this.#marked.add(entry);
    else if (said === 'a' || said === 'A') return this.#together(this.#like(entry, said));
    else if (said === OTHER_NOTE && !takesWords) await this.#askOther(entry);
    else await this.#say([entry], understood(entry, said));
    return true;
  }

  // Given up, the entry is asked about again.
  async #askOther(entry: WaitingEntry): Promise<void> {
    const note = await this.#asker.askNote();
    if (note !== '') await this.#say([entry], { what: 'confirm', note });
  }

  // A terminal that is closed is no key: what was only marked isn't answered.
  async #ask(ways: readonly Way[], takesWords: boolean): Promise<string> {
    const said = await this.#asker.ask(ways, takesWords);
    if (said !== null) return said;
    this.#marked.clear();
    return 'q';
  }

  /** Shows what an entry rests on; returns whether that was asked for. */
  async #show(entry: WaitingEntry, said: string): Promise<boolean> {
    const { out } = this.#context;
    if (said === MAIL.key) await showMail(out, this.#root, entry);
    else if (said === NOTE.key) await showNote(out, this.#root, entry);
    else if (said === REASON.key) await this.#explain(entry);
    else return false;
    return true;
  }

  async #explain({ event }: WaitingEntry): Promise<void> {
    if (event === null) return;
    const { loadExplanation, withMoments } = await import('./explain.ts');
    try {
      printReason(this.#context.out, await loadExplanation(this.#context, this.#root, event), withMoments);
    } catch (error) {
      if (!(error instanceof StewardError)) throw error;
      this.#context.err.trouble(error.trouble);
    }
  }

  #waysFor(entry: WaitingEntry): Way[] {
    const { answers, candidates } = entry;
    const isChoice = answers.includes('choose') && candidates.length > 0;
    const choose = candidates.length === 1 ? '1' : `1-${candidates.length}`;
    const [alike, beside] = [this.#like(entry, 'a').length, this.#like(entry, 'A').length];
    const many = this.#entries.filter((one) => !this.#isSettled(one)).length;
    return [
      ...(isChoice ? [{ key: choose, words: CHOOSE }] : []),
      ...GIVEN.filter(({ what }) => answers.some((answer) => answer === what)),
      ...(answers.includes('choose') && !isChoice ? [ANOTHER] : []),
      ...(alike > 1 ? [{ key: 'a', words: `all ${alike} from ${senderOf(entry)}` }] : []),
      ...(beside > 1 && beside !== alike ? [{ key: 'A', words: `all ${beside} of ${stem(entry.matter ?? '')}` }] : []),
      ...(many > 1 || this.#marked.size > 0 ? [{ key: 'm', words: 'mark' }] : []),
      SKIP,
      ...(entry.mail == null ? [] : [MAIL]),
      ...(entry.target === null ? [] : [NOTE]),
      ...(['licence', 'setting', 'unfinished'].includes(entry.kind) ? [] : [REASON]),
      ...this.#undoWay(),
      QUIT,
    ];
  }

  #undoWay(): Way[] {
    return this.#answered.length > 0 ? [UNDO] : [];
  }

  // Findings are answered one by one, so that matters can't be archived in bulk by mistake.
  #like(entry: WaitingEntry, by: 'a' | 'A'): WaitingEntry[] {
    const wanted = by === 'a' ? senderOf(entry) : entry.matter;
    if (wanted === null || entry.kind === 'found') return [];
    return this.#entries.filter(
      (one) => !this.#over.has(one) && one.kind !== 'found' && (by === 'a' ? senderOf(one) : one.matter) === wanted,
    );
  }

  /** Asks about several at once; each is answered by itself. */
  async #together(entries: readonly WaitingEntry[]): Promise<boolean> {
    printTogether(this.#context.out, entries);
    const said = await this.#ask([...IN_BULK, SKIP, ...this.#undoWay(), QUIT], false);
    if (said === 'u') return this.#takeBack();
    const given = IN_BULK.find(({ key }) => key === said);
    if (given !== undefined) await this.#say(entries, { what: given.what, note: null });
    for (const entry of entries) this.#marked.delete(entry);
    if (said === 's') for (const entry of entries) this.#over.add(entry);
    return said !== 'q';
  }

  async #say(entries: readonly WaitingEntry[], given: Given): Promise<void> {
    const wanted = given.note === null ? given.what : 'choose';
    const isMeant = ({ answers }: WaitingEntry) =>
      answers.includes(wanted) || (wanted === 'later' && answers.includes('dismiss'));
    const meant = entries.filter(isMeant);
    const others = entries.length - meant.length;
    if (others > 0) this.#context.out.line(ROUND.leftOut(others));
    for (const entry of entries) this.#over.add(entry);
    if (meant.length === 0) return;
    await this.#carryOut(meant, given);
  }

  async #carryOut(entries: readonly WaitingEntry[], given: Given): Promise<void> {
    const { isDone, undoable } = await this.#answers.give(
      entries.flatMap(({ event }) => event ?? []),
      given,
    );
    if (undoable.length > 0) this.#answered.push({ entries, names: undoable });
    // A name that fits no note, or several, is asked for again.
    if (!isDone && given.note !== null) for (const entry of entries) this.#over.delete(entry);
    else this.#isAllDone &&= isDone;
  }

  /** Undoes the last answer. An entry that waits again is asked about again. */
  async #takeBack(): Promise<boolean> {
    const last = this.#answered.pop();
    if (last === undefined) {
      this.#context.out.line(ROUND.nothingToUndo);
      return true;
    }
    const isUndone = await this.#answers.takeBack(last.names);
    this.#isAllDone &&= isUndone;
    if (!isUndone) return true;
    const { warnings, waiting: decisions } = await statusNow(this.#root, this.#context);
    const waiting = new Set([...warnings, ...decisions].map(({ event }) => event));
    const again = last.entries.filter(({ event }) => waiting.has(event));
    for (const entry of again) this.#over.delete(entry);
    if (again.length > 0) this.#at = Math.min(this.#at, ...again.map((entry) => this.#entries.indexOf(entry)));
    else {
      const isConfirmed = last.names.some((name) => /-action-confirmed-/.test(name));
      this.#context.out.line(isConfirmed ? ROUND.undoneIsNo : ROUND.waitsNoMore);
    }
    return true;
  }

  // Marked entries are asked about before the round ends, in whichever way it ends.
  async #leave(): Promise<boolean> {
    if (this.#marked.size > 0) await this.#together([...this.#marked]);
    return false;
  }

  /** At the end of the list; returns whether the round goes on after all. */
  async #end(): Promise<boolean> {
    if (this.#marked.size > 0) return this.#together([...this.#marked]);
    if (this.#undoWay().length === 0) return false;
    this.#context.out.line();
    this.#context.out.line(ROUND.over);
    return (await this.#ask([UNDO, QUIT], false)) === 'u' && this.#takeBack();
  }
}

const GIVEN = [
  { key: 'c', words: 'confirm', what: 'confirm' },
  { key: 'y', words: 'always', what: 'always' },
  { key: 'd', words: 'dismiss', what: 'dismiss' },
  { key: 'l', words: 'not now', what: 'later' },
  { key: 'f', words: 'force', what: 'force' },
] as const;

/** For several at once a dismissal means "not now"; only another key says that all of them are wrong. */
const IN_BULK = [
  { key: 'c', words: 'confirm', what: 'confirm' },
  { key: 'd', words: 'dismiss', what: 'later' },
  { key: 'w', words: 'wrong', what: 'dismiss' },
] as const;

// A channel by itself is nobody.
function senderOf({ from }: WaitingEntry): string | null {
  return from === null || /^[a-z_]+$/.test(from) ? null : from;
}

// Any other word says which note is meant.
function understood({ candidates }: WaitingEntry, said: string): Given {
  const given = GIVEN.find(({ key }) => key === said);
  if (given !== undefined) return { what: given.what, note: null };
  return { what: 'confirm', note: candidates[Number(said) - 1] ?? said };
}

const QUIT_ASK_KEYS = ['ctrl-c', 'ctrl-d', 'escape'];
const ENTER = ['return', 'enter'];
const SKIP_ASK_KEYS = [...ENTER, 'space', 'down', 'right'];

/** Asks on a terminal: one key is an answer. */
class KeyAsker implements Asker {
  readonly #out: Printer;
  readonly #terminal: Terminal;

  constructor(out: Printer, terminal: Terminal) {
    this.#out = out;
    this.#terminal = terminal;
  }

  async ask(ways: readonly Way[], takesWords: boolean): Promise<string | null> {
    const prompt = `${waysLines(this.#out, ways, takesWords ? ROUND.byKey : null).join('\r\n')} `;
    this.#terminal.write(prompt);
    for (;;) {
      const key = await this.#terminal.next(null);
      if (key === CLOSED) return null;
      const said = key === null ? null : this.#said(ways, key);
      if (said !== null) return this.#echo(said);
      if (!takesWords || key === null) continue;
      if (/^[1-9]$/.test(key)) return this.#echo(key);
      const name = key === OTHER_NOTE ? await this.askNote() : '';
      if (name !== '') return name;
      if (key === OTHER_NOTE) this.#terminal.write(prompt);
    }
  }

  #said(ways: readonly Way[], key: string): string | null {
    const can = (wanted: string) => ways.some((way) => way.key === wanted);
    if (QUIT_ASK_KEYS.includes(key)) return 'q';
    if (SKIP_ASK_KEYS.includes(key) && can('s')) return 's';
    return ways.find((way) => way.key === key)?.key ?? null;
  }

  #echo(said: string): string {
    this.#terminal.write(`${said}\r\n`);
    return said;
  }

  async askNote(): Promise<string> {
    this.#terminal.write('\r\n');
    for (let name = ''; ; ) {
      this.#terminal.write(`\r\u001b[K${ROUND.whichNote}${name}`);
      const key = (await this.#terminal.next(null)) ?? '';
      if (key === CLOSED || QUIT_ASK_KEYS.includes(key) || ENTER.includes(key)) {
        this.#terminal.write('\r\n');
        return ENTER.includes(key) ? name.trim() : '';
      }
      if (key === 'backspace') name = [...name].slice(0, -1).join('');
      else if (key === 'space') name += ' ';
      else if ([...key].length === 1) name += key;
    }
  }
}

/** Asks line by line: for a pipe, or a terminal that cannot move its cursor. The end of the input quits. */
class LineAsker implements Asker, Disposable {
  readonly #out: Printer;
  readonly #input = createInterface({ input: process.stdin, terminal: false });
  readonly #lines = this.#input[Symbol.asyncIterator]();

  constructor(out: Printer) {
    this.#out = out;
  }

  async ask(ways: readonly Way[], takesWords: boolean): Promise<string> {
    for (;;) {
      for (const line of waysLines(this.#out, ways, takesWords ? ROUND.byWord : null)) this.#out.line(line);
      const { value, done } = await this.#lines.next();
      if (done === true) return 'q';
      const typed = value.trim();
      const way = wayOf(ways, typed);
      if (way !== undefined) return way.key;
      if (typed === '') return 's';
      if (takesWords) return typed;
    }
  }

  async askNote(): Promise<string> {
    this.#out.line(ROUND.whichNote.trimEnd());
    const { value, done } = await this.#lines.next();
    return done === true ? '' : value.trim();
  }

  [Symbol.dispose](): void {
    this.#input.close();
  }
}

// A key may be typed in capitals if those have no other meaning; the word for it works too.
function wayOf(ways: readonly Way[], typed: string): Way | undefined {
  const word = typed.toLowerCase();
  return (
    ways.find(({ key }) => key === typed) ??
    ways.find(({ key, words, what }) => key === word || words === word || what === word)
  );
}

/** One thing that a person can say, and the key for it. */
interface Way {
  readonly key: string;
  readonly words: string;
  /** Another word for it. */
  readonly what?: string;
}

/**
 * Returns what can be said, in lines: `confirm (c), dismiss (d), skip (s), quit (q)?` `byName`: how a note that may be
 * chosen is named; null if there is no choice.
 */
function waysLines(out: Printer, ways: readonly Way[], byName: string | null): string[] {
  const shown = ways.map(({ key, words }) => {
    const keys = byName !== null && words === CHOOSE ? `${key}, ${byName}` : key;
    return `${words} (${keys})`.replaceAll(' ', UNBROKEN);
  });
  return out.wrapped(`${shown.join(', ')}?`, 2).map((line) => line.replaceAll(UNBROKEN, ' '));
}

/** Stands for a blank at which no line ends. */
const UNBROKEN = '\u00a0';

/** The way that says which of several notes is meant. */
const CHOOSE = 'choose';

function printTogether(out: Printer, entries: readonly WaitingEntry[]): void {
  out.line();
  out.styled('bold', `${count(entries.length, 'entry').replace(/ys$/, 'ies')} together`);
  for (const { kind, target, change, candidates } of entries) {
    const about = target === null ? candidates.map(parseTitle).join(' or ') : parseTitle(target);
    const what = [about, change ?? ''].filter((part) => part !== '');
    out.line(out.fitted(`  ${out.paint('yellow', NOUNS[kind].padEnd(9))} ${clean(what.join('  '))}`));
  }
}

const ROUND = {
  waitsNoMore: '  It doesn’t wait again, because something else has closed it since.',
  undoneIsNo: '  An undone change is a no: Steward doesn’t ask again. To make it after all: steward undo --last 1',
  nothingToUndo: '  No answer to undo.',
  leftOut: (many: number) =>
    many === 1
      ? '  One entry needs another answer, and still waits.'
      : `  ${many} entries need another answer, and still wait.`,
  over: 'That was all.',
  whichNote: '  which note? ',
  byWord: 'or a part of the title of a note',
  byKey: `or ${OTHER_NOTE} for another by a part of its title`,
} as const;
