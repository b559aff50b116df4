import { readEnvironment } from '../../../daemon/context/environment.ts';
import type { PlainFailure } from '../../../daemon/sources/orders/plain-failure.ts';
import type { Tried } from '../../../daemon/sources/orders/try-source.ts';
import { needsPassword, passwordVariable } from '../../../source/password-place.ts';
import { type SourceSettings, sourceSettings } from '../../../source/source-note.ts';
import type { CommandContext } from '../../base/context.ts';
import { triedHere, triedWhereItRuns } from '../../base/sources.ts';
import { tryingWords } from '../../print/sources/adding-words.ts';
import { printTried } from '../../print/sources/print-added.ts';
import { leadsWords } from '../../print/sources/print-sources.ts';
import type { SourceAsking } from './asking.ts';
import { type Draft, grantOfDraft } from './draft.ts';
import { programWords } from './words.ts';

/** A source that is to be added, and what came of trying it; null where it was not tried. */
interface Tested {
  readonly draft: Draft;
  readonly tried: Tried | null;
}

/** Who tries it, and where. */
interface Trying {
  readonly root: string;
  readonly asking: SourceAsking;
  readonly context: CommandContext;
}

/**
 * Tests a draft from where it will be asked; where there is no password yet, asks where it will come from, and again where it
 * was not the right one. Null where it was broken off.
 */
export async function testedDraft(
  draft: Draft,
  root: string,
  asking: SourceAsking | null,
  context: CommandContext,
): Promise<Tested | null> {
  const settings = sourceSettings.parse(draft.fields);
  // The daemon may be without it, and this terminal not: then it is tried from here, and said afterwards.
  const isHere = (readEnvironment(context.env).sourcePassword?.(draft.name) ?? null) !== null;
  const isKnown = isHere || draft.passwordCommand !== null || !needsPassword(settings) || asking === null;
  if (isKnown) sayTrying(draft, context);
  const there = await triedWhereItRuns(tryOrder(draft), root, context);
  const first = there.hasPassword || !isHere ? there : await triedHere(tryOrder(draft), root, context);
  if (first.hasPassword || asking === null) return shown({ draft, tried: first }, context);
  return withPassword(draft, settings, { root, asking, context });
}

async function withPassword(draft: Draft, settings: SourceSettings, trying: Trying): Promise<Tested | null> {
  const { asking } = trying;
  const isToken = 'auth' in settings && settings.auth === 'oauth2';
  const ways = isToken ? WHERE_ACCESS : settings.kind === 'webhook' ? WHERE_TOKEN : WHERE_PASSWORD;
  const place = await asking.choose(ways.question, ways.places);
  if (place === null) return null;
  const tested = place === 'command' ? await byCommand(draft, trying) : await byHand(draft, ways.typed, trying);
  if (!isOfThePassword(tested?.tried?.failed ?? null, place)) return tested;
  return (await asking.agree(ways.again)) === true ? withPassword(draft, settings, trying) : tested;
}

// A person who has mistyped it has not to answer all the rest once more.
function isOfThePassword(failed: PlainFailure | null, place: string): boolean {
  return failed?.kind === 'refused' || (failed?.kind === 'setup' && place === 'command');
}

async function byCommand(draft: Draft, { root, asking, context }: Trying): Promise<Tested | null> {
  const line = await asking.name('Which command prints it, on its first line?', '');
  if (line === null) return null;
  const told = { ...draft, passwordCommand: programWords([line]) };
  sayTrying(told, context);
  return shown({ draft: told, tried: await triedWhereItRuns(tryOrder(told), root, context) }, context);
}

async function byHand(draft: Draft, question: string, { root, asking, context }: Trying): Promise<Tested | null> {
  const typed = await asking.secret(question);
  if (typed === null) return null;
  sayTrying(draft, context);
  return shown({ draft, tried: await triedHere(tryOrder(draft), root, context, typed) }, context);
}

const OWN = 'I give it to the daemon myself';
const OWN_HINT = 'a credential of the service, or a variable: it is said how';
const WHERE_PASSWORD = {
  question: 'Where will its password come from? It is never written into the vault.',
  places: [
    { value: 'own', label: OWN, hint: OWN_HINT },
    { value: 'command', label: 'A command prints it', hint: 'secret-tool, pass, op …' },
  ],
  typed: 'The password, for this one test; it is kept nowhere:',
  again: 'Try it with another password?',
};
const WHERE_TOKEN = {
  question: 'It needs a token of your own making (openssl rand -hex 24). Where will it come from?',
  places: [
    { value: 'command', label: 'A command prints it', hint: 'such as /bin/cat and a file that only you can read' },
    { value: 'own', label: OWN, hint: OWN_HINT },
  ],
  typed: 'The token, for this one test; it is kept nowhere:',
  again: 'Try it with another token?',
};
const WHERE_ACCESS = {
  question: WHERE_PASSWORD.question,
  places: [
    { value: 'command', label: 'A command prints an access token', hint: 'oama, or a script of yours' },
    { value: 'own', label: 'I type a token, for this one test' },
  ],
  typed: WHERE_TOKEN.typed,
  again: WHERE_TOKEN.again,
};

function sayTrying(draft: Draft, { err }: CommandContext): void {
  const { allow } = tryOrder(draft);
  err.progress(tryingWords(leadsWords(allow.pinned, allow)));
}

function tryOrder(draft: Draft) {
  const { name, fields } = draft;
  return { op: 'source-try' as const, name, fields, allow: grantOfDraft(draft, Date.now()) };
}

function shown({ draft, tried }: Tested, { out, err }: CommandContext): Tested {
  if (tried !== null) printTried(out, err, draft.name, { ...tried, failed: ofDraft(tried, draft.name) });
  return { draft, tried };
}

// The source is not there yet: what would mend one that is does not help, and nothing is tried again by itself.
function ofDraft({ failed, hasPassword }: Tried, name: string): PlainFailure | null {
  if (failed === null) return null;
  const set = `set ${passwordVariable(name)} where the daemon is started, or here`;
  const hint = hasPassword
    ? (HINTS[failed.kind] ?? failed.hint)
    : `Name a command that prints it (--password-command "pass mail/${name}"), or ${set}.`;
  return { ...failed, hint };
}

const HINTS: Readonly<Partial<Record<PlainFailure['kind'], string>>> = {
  away: 'Check the network, and whether the server and its port are the right ones.',
  refused: 'Check the user and the password.',
  busy: 'Wait a little, then add it again.',
};
