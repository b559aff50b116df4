import { EXIT, StewardError } from '../../../vault/errors.ts';
import { stem } from '../../../vault/note-names.ts';
import type { CommandContext, CommandResult } from '../../base/context.ts';
import { usageError } from '../../base/usage-error.ts';
import { vaultDir } from '../../base/vault-dir.ts';
import type { CommandShape } from '../../print/completion/command-shape.ts';
import { completionScript, SHELLS } from '../../print/completion/scripts.ts';
import { clean } from '../../print/plain-text.ts';
import { newestEvents } from '../log.ts';
import { statusNow } from '../status.ts';
import { type Candidate, completionOf, type EventCommand, fitting } from './candidates.ts';

/** How many events are looked at for those that can be taken back. */
const NEWEST = 50;

/** `steward completion SHELL`: prints what the shell runs to complete words. */
export async function completion(shell: string, { out }: CommandContext): CommandResult {
  const known = SHELLS.find((one) => one === shell);
  if (known === undefined)
    throw usageError(`There is no completion for ${shell}.`, `There is one for ${SHELLS.join(', ')}.`);
  for (const line of completionScript(known).trimEnd().split('\n')) out.line(line);
  return EXIT.done;
}

/** `steward complete -- WORD…`, which the shells ask: prints what may stand in place of the last word. Never fails. */
export async function complete(
  program: CommandShape,
  words: readonly string[],
  context: CommandContext,
): CommandResult {
  const found = completionOf(program, words);
  const events = found.events === null ? [] : await eventsFor(found.events, words, context);
  for (const { value, about } of [...found.words, ...fitting(events, words.at(-1) ?? '')])
    context.out.line(`${clean(value)}\t${clean(about)}`);
  return EXIT.done;
}

async function eventsFor(
  command: EventCommand,
  words: readonly string[],
  context: CommandContext,
): Promise<readonly Candidate[]> {
  const named = words[words.lastIndexOf('--vault') + 1];
  const options = words.includes('--vault') && named !== undefined ? { vault: named } : {};
  try {
    const root = vaultDir(options, context);
    const about = command === 'undo' ? await undoable(context, root) : await waiting(context, root, command);
    return about.flatMap((one) => candidatesFor(one, about));
  } catch (error) {
    if (!(error instanceof StewardError)) throw error;
    return []; // nobody sees it: the shell has the line
  }
}

/** An event that can be answered, and the title of its note. */
interface Named {
  readonly event: string;
  readonly title: string | null;
  readonly about: string;
}

async function undoable(context: CommandContext, root: string): Promise<readonly Named[]> {
  const events = await newestEvents(context, root, NEWEST, null);
  return events
    .filter(({ outcome }) => outcome === 'applied' || outcome === 'acted' || outcome === 'confirmed')
    .map(({ event, target, decision }) => ({ event: stem(event), title: titleOf(target), about: decision }));
}

async function waiting(
  context: CommandContext,
  root: string,
  command: Exclude<EventCommand, 'undo'>,
): Promise<readonly Named[]> {
  const { waiting: all } = await statusNow(root, context);
  return all
    .filter(({ answers }) => answers.includes(command) || (command === 'confirm' && answers.includes('choose')))
    .flatMap(({ event, target, change }) =>
      event === null ? [] : [{ event, title: titleOf(target), about: change ?? '' }],
    );
}

function titleOf(target: string | null): string | null {
  return target === null ? null : stem(target);
}

// The title, where it means this event alone; else the name of the event.
function candidatesFor({ event, title, about }: Named, all: readonly Named[]): Candidate[] {
  const isOnly = title !== null && all.filter((one) => one.title === title).length === 1;
  return [
    { value: isOnly && title !== null ? title : event, about: isOnly ? about : `${title ?? ''} ${about}`.trim() },
  ];
}
