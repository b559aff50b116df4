import { answerAll, undoAll } from '../daemon/answers/answer-all.ts';
import { waitingText } from '../steward/attention/kinds.ts';
import type { Waiting } from '../steward/attention-waiting.ts';
import { type Answer, isDone } from '../undo/order.ts';
import { EXIT, StewardError } from '../vault/errors.ts';
import { stem } from '../vault/note-names.ts';
import type { CommandContext, CommandResult } from './base.ts';
import { handOver } from './daemon-client.ts';
import { printAnswers } from './print.ts';
import { CHOOSE, printEntry, printTogether, ROUND, type Way } from './print-attention.ts';

/** What a person says to some entries; `note`: the one that is chosen, where one of several is meant. */
interface Given {
  readonly what: 'confirm' | 'dismiss' | 'force';
  readonly note: string | null;
}

/** What came of it. `undoable`: the notes to name where it is to be taken back. */
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
    // What changed nothing can give nothing back.
    const made = answers?.filter((answer) => isDone(answer) && Object.keys(answer.changes).length > 0) ?? [];
    const undoable = made.flatMap((answer) => (answer.note === null ? [] : [stem(answer.note)]));
    return answers === null ? NOTHING : { isDone: answers.every(isDone), undoable };
  }

  /** Takes back what the notes of these names record. */
  async takeBack(names: readonly string[]): Promise<boolean> {
    const answers = await this.#tried(() => this.#undo(names, false));
    return answers?.every(isDone) === true;
  }

  // One that cannot be answered, as where it was answered elsewhere meanwhile, does not end the round.
  async #tried(act: () => Promise<Answer[]>): Promise<Answer[] | null> {
    try {
      const answers = await act();
      printAnswers(this.#context.out, answers, false);
      return answers;
    } catch (error) {
      if (!(error instanceof StewardError) || error.exit === EXIT.tryAgain) throw error;
      this.#context.err.trouble(error.trouble);
      return null;
    }
  }

  #answer(kind: 'confirm' | 'dismiss', events: readonly string[], choose: string | null): Promise<Answer[]> {
    const request = { op: 'answer' as const, kind, events: [...events], choose, dryRun: false };
    return handOver(this.#context, this.#root, request, (space) => answerAll(space, request));
  }

  #undo(events: readonly string[], force: boolean): Promise<Answer[]> {
    const request = { op: 'undo' as const, events: [...events], last: null, reason: null, force, dryRun: false };
    return handOver(this.#context, this.#root, request, (space) => undoAll(space, request));
  }
}

/** Whoever asks the person: on a terminal key by key, else line by line. */
export interface Asker {
  /** Returns the key of one of the ways, or other words where `takesWords`; null once the terminal is closed. */
  ask(ways: readonly Way[], takesWords: boolean): Promise<string | null>;
}

/**
 * Goes through what can be answered, one by one or several together, and carries out each answer as the commands do. Exit 1
 * where one of them could not be carried out.
 */
export async function answerInbox(
  context: CommandContext,
  root: string,
  waiting: readonly Waiting[],
  asker: Asker,
): CommandResult {
  const entries = waiting.filter(({ answers, event }) => answers.length > 0 && event !== null);
  context.out.line(waitingText(waiting));
  const isAllDone = await new Round(context, new Answers(context, root), entries, asker).go();
  return isAllDone ? EXIT.done : EXIT.refused;
}

/** A dismissal that is carried out with the next key: until then it can be taken back as if it had never been. */
interface Held {
  readonly entries: readonly Waiting[];
  /** Where the round goes on when it is taken back. */
  readonly at: number;
}

const SKIP: Way = { key: 's', words: 'skip' };
const QUIT: Way = { key: 'q', words: 'quit' };
const UNDO: Way = { key: 'u', words: 'undo' };

/** One round through the list. */
class Round {
  readonly #context: CommandContext;
  readonly #answers: Answers;
  readonly #entries: readonly Waiting[];
  readonly #asker: Asker;
  readonly #over = new Set<Waiting>();
  readonly #marked = new Set<Waiting>();
  #at = 0;
  #held: Held | null = null;
  #undoable: readonly string[] = [];
  #isAllDone = true;

  constructor(context: CommandContext, answers: Answers, entries: readonly Waiting[], asker: Asker) {
    this.#context = context;
    this.#answers = answers;
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
    await this.#settle();
    return this.#isAllDone;
  }

  #isSettled(entry: Waiting): boolean {
    return this.#over.has(entry) || this.#marked.has(entry);
  }

  /** Asks about one entry; returns whether the round goes on. */
  async #one(entry: Waiting): Promise<boolean> {
    const { out } = this.#context;
    out.line();
    printEntry(out, entry);
    const said = await this.#ask(this.#waysFor(entry), entry.answers.includes('choose'));
    if (said === 'u') return this.#takeBack();
    await this.#settle();
    if (said === 'q') return this.#leave();
    if (said === 's') this.#at += 1;
    else if (said === 'm') this.#marked.add(entry);
    else if (said === 'a' || said === 'A') return this.#together(this.#like(entry, said));
    else await this.#say([entry], understood(entry, said));
    return true;
  }

  // A terminal that is closed is no key: what was held is not carried out.
  async #ask(ways: readonly Way[], takesWords: boolean): Promise<string> {
    const said = await this.#asker.ask(ways, takesWords);
    if (said !== null) return said;
    this.#held = null;
    this.#marked.clear();
    return 'q';
  }

  #waysFor(entry: Waiting): Way[] {
    const { answers, candidates } = entry;
    const choose = candidates.length === 1 ? '1' : `1-${candidates.length}`;
    const [alike, beside] = [this.#like(entry, 'a').length, this.#like(entry, 'A').length];
    const many = this.#entries.filter((one) => !this.#isSettled(one)).length;
    return [
      ...(answers.includes('choose') ? [{ key: choose, words: CHOOSE }] : []),
      ...GIVEN.filter(({ words }) => answers.some((answer) => answer === words)),
      ...(alike > 1 ? [{ key: 'a', words: `all ${alike} from ${senderOf(entry)}` }] : []),
      ...(beside > 1 && beside !== alike ? [{ key: 'A', words: `all ${beside} of ${stem(entry.matter ?? '')}` }] : []),
      ...(many > 1 || this.#marked.size > 0 ? [{ key: 'm', words: 'mark' }] : []),
      SKIP,
      ...this.#undoWay(),
      QUIT,
    ];
  }

  #undoWay(): Way[] {
    return this.#held !== null || this.#undoable.length > 0 ? [UNDO] : [];
  }

  // What was noticed without anybody saying so is answered one by one: nobody archives their matters in bulk by mistake.
  #like(entry: Waiting, by: 'a' | 'A'): Waiting[] {
    const wanted = by === 'a' ? senderOf(entry) : entry.matter;
    if (wanted === null || entry.kind === 'found') return [];
    return this.#entries.filter(
      (one) => !this.#over.has(one) && one.kind !== 'found' && (by === 'a' ? senderOf(one) : one.matter) === wanted,
    );
  }

  /** Asks about several at once; each is answered by itself. */
  async #together(entries: readonly Waiting[]): Promise<boolean> {
    printTogether(this.#context.out, entries);
    const said = await this.#ask([...GIVEN.slice(0, 2), SKIP, ...this.#undoWay(), QUIT], false);
    if (said === 'u') return this.#takeBack();
    await this.#settle();
    const given = GIVEN.slice(0, 2).find(({ key }) => key === said);
    if (given !== undefined) await this.#say(entries, { what: given.words, note: null });
    for (const entry of entries) this.#marked.delete(entry);
    if (said === 's') for (const entry of entries) this.#over.add(entry);
    return said !== 'q';
  }

  async #say(entries: readonly Waiting[], given: Given): Promise<void> {
    const wanted = given.note === null ? given.what : 'choose';
    const meant = entries.filter(({ answers }) => answers.includes(wanted));
    const others = entries.length - meant.length;
    if (others > 0) this.#context.out.line(ROUND.leftOut(others));
    for (const entry of entries) this.#over.add(entry);
    if (meant.length === 0) return;
    if (given.what === 'dismiss') {
      this.#held = { entries: meant, at: this.#at };
      this.#context.out.line(ROUND.held(meant.length));
    } else await this.#carryOut(meant, given);
  }

  async #carryOut(entries: readonly Waiting[], given: Given): Promise<void> {
    const names = entries.flatMap(({ event }) => event ?? []);
    const { isDone, undoable } = await this.#answers.give(names, given);
    this.#isAllDone &&= isDone;
    this.#undoable = undoable;
  }

  /** Carries out the dismissal that was held. */
  async #settle(): Promise<void> {
    const held = this.#held;
    this.#held = null;
    if (held !== null) await this.#carryOut(held.entries, { what: 'dismiss', note: null });
  }

  async #takeBack(): Promise<boolean> {
    const { out } = this.#context;
    if (this.#held !== null) {
      for (const entry of this.#held.entries) this.#over.delete(entry);
      this.#at = this.#held.at;
      this.#held = null;
      out.line(ROUND.released);
    } else if (this.#undoable.length === 0) out.line(ROUND.nothingToUndo);
    else {
      const names = this.#undoable;
      this.#undoable = [];
      this.#isAllDone = (await this.#answers.takeBack(names)) && this.#isAllDone;
    }
    return true;
  }

  // What was marked is asked about before the round ends, whichever way it does.
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
  { key: 'c', words: 'confirm' },
  { key: 'd', words: 'dismiss' },
  { key: 'f', words: 'force' },
] as const;

// A channel by itself is nobody.
function senderOf({ from }: Waiting): string | null {
  return from === null || /^[a-z_]+$/.test(from) ? null : from;
}

// Whatever is no key of its own says which note is meant.
function understood({ candidates }: Waiting, said: string): Given {
  const given = GIVEN.find(({ key }) => key === said);
  if (given !== undefined) return { what: given.words, note: null };
  return { what: 'confirm', note: candidates[Number(said) - 1] ?? said };
}
