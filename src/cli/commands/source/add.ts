import { addSource, sourceExists } from '../../../daemon/sources/orders/add-source.ts';
import type { Tried } from '../../../daemon/sources/orders/try-source.ts';
import { EXIT } from '../../../vault/errors.ts';
import type { CommandContext, CommandResult } from '../../base/context.ts';
import { askDaemon } from '../../base/daemon-client.ts';
import { handOver } from '../../base/hand-over.ts';
import { allSources } from '../../base/sources.ts';
import { presentVaultDir } from '../../base/vault-dir.ts';
import {
  ADDING,
  printHowUntested,
  printMailServer,
  printNothingChanged,
  printSourceWritten,
} from '../../print/sources/adding-words.ts';
import { printNext } from '../../print/sources/print-added.ts';
import { type SourceAsking, terminalAsking } from './asking.ts';
import { type AddOptions, completeDraft, type Draft, draftOf, grantOfDraft, type OpenDraft } from './draft.ts';
import { providerAt } from './providers.ts';
import { askedDraft } from './questions.ts';
import { testedDraft } from './trying.ts';

/**
 * `steward source add [NAME] [-- PROGRAM…]`: connects a source. On a terminal it asks for what is not said; it tests, and
 * writes what the person allows and then the note. Exit 1 where the test failed or the person broke it off: nothing has changed then.
 */
export async function sourceAdd(
  name: string | undefined,
  program: readonly string[],
  options: AddOptions,
  context: CommandContext,
): CommandResult {
  const asking = options.yes === true ? null : await terminalAsking();
  return addedWith(asking, draftOf(name, program, options), options, context);
}

/** The same with whoever is asked; null where nobody is. */
export async function addedWith(
  asking: SourceAsking | null,
  open: OpenDraft,
  options: AddOptions,
  context: CommandContext,
): CommandResult {
  const root = presentVaultDir(options, context);
  const there = await allSources(root, context);
  const taken = there.find(({ name }) => name === open.name);
  if (taken !== undefined) throw sourceExists(taken.name, taken.path);
  const asked =
    asking === null
      ? open
      : await askedDraft(
          open,
          there.map(({ name }) => name),
          asking,
        );
  if (asked === null) return brokenOff(context);
  const draft = completeDraft(asked);
  const exists = there.find(({ name }) => name === draft.name);
  if (exists !== undefined) throw sourceExists(exists.name, exists.path);
  if (asking === null) tellProvider(draft, context);
  const tested = options.test === false ? { draft, tried: null } : await testedDraft(draft, root, asking, context);
  if (tested === null) return brokenOff(context);
  if (tested.tried?.failed != null && !(await isWrittenAllTheSame(asking, context))) return brokenOff(context);
  const vouched = await withMailServer(tested.draft, tested.tried, asking, context);
  if (vouched === null) return brokenOff(context);
  return written(vouched, root, context);
}

// On a terminal it was said beside the question.
function tellProvider({ fields }: Draft, { out }: CommandContext): void {
  const known = fields.kind === 'imap' ? providerAt(String(fields.host), fields.port) : null;
  if (known !== null) out.line(known.says);
}

async function written(draft: Draft, root: string, context: CommandContext): CommandResult {
  const { name, fields } = draft;
  const order = { op: 'source-add' as const, name, fields, allow: grantOfDraft(draft, Date.now()) };
  const { file } = await handOver(context, root, order, async (space) => addSource(space, order));
  printSourceWritten(context.out, file);
  const source = (await allSources(root, context)).find((one) => one.name === name);
  const isRunning = (await askDaemon(context, root, { op: 'alive' })) !== 'absent';
  if (source !== undefined) printNext(context.out, source, isRunning);
  return EXIT.done;
}

function brokenOff({ err }: CommandContext): typeof EXIT.refused {
  printNothingChanged(err);
  return EXIT.refused;
}

async function isWrittenAllTheSame(asking: SourceAsking | null, { err }: CommandContext): Promise<boolean> {
  if (asking !== null) return (await asking.agree(ADDING.allTheSame)) === true;
  printHowUntested(err);
  return false;
}

/**
 * Puts to a person the server that signs the newest mails. Whom it names is believed about senders, so nobody but a person
 * says yes: neither `--yes` nor a script does. Null where it is broken off.
 */
async function withMailServer(
  draft: Draft,
  tried: Tried | null,
  asking: SourceAsking | null,
  { out }: CommandContext,
): Promise<Draft | null> {
  const { fields } = draft;
  const server = tried?.described?.mailServer ?? null;
  if (fields.kind !== 'imap' || fields.mail_server !== undefined || server === null) return draft;
  if (asking === null) {
    printMailServer(out, server);
    return draft;
  }
  asking.tell(ADDING.aboutServer(server));
  const agreed = await asking.agree(ADDING.ownServer(server));
  if (agreed === null) return null;
  return agreed ? { ...draft, fields: { ...fields, mail_server: server } } : draft;
}
