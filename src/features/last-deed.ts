import type { IndexAccess, ReadAccess } from '../daemon/context.ts';
import { refusalWords } from '../steward/gates.ts';
import { eventState, isChoice, isQuestion, isReversed } from '../steward/proposals.ts';
import { isKnownNote } from '../steward/records.ts';
import type { Answerable } from '../steward/types.ts';
import { patchedFields } from '../undo/recipe.ts';
import { changePhrase, PLAIN_PHRASE } from '../vault/event-text.ts';
import type { Changes } from '../vault/frontmatter.ts';
import { stem } from '../vault/layout.ts';
import { clipped, noteMoment, shellWord } from '../vault/note-text.ts';
import type { EventRecord, ReversalRecord } from '../vault/record.ts';
import { isOfBookings, isOwnHand } from '../vault/source-names.ts';
import { iso } from '../vault/time.ts';

// The last thing that was done about a note, and why, in plain words. Times in texts are ISO, UTC.

/** The last thing that Steward or the user did about a note. */
export interface LastDeed {
  /** The name of the note that records it. */
  readonly event: string;
  /** ISO, UTC; null if the note doesn't say. */
  readonly at: string | null;
  readonly by: 'steward' | 'you';
  readonly sentence: string;
  /** The command that undoes it, and until when (ISO); null if it can't be undone. */
  readonly undo: { readonly command: string; readonly until: string } | null;
}

/**
 * Returns the last thing that was done about any of these notes; null if nothing was. An event note that Steward neither
 * wrote nor found at its first start counts only if there is no other, and the sentence says so.
 */
export function findLastDeed(space: ReadAccess, paths: readonly string[]): LastDeed | null {
  const all = paths.flatMap((path) => space.vault.catalogue.eventsAbout(path));
  const known = all.filter((event) => isKnownNote(space, event));
  const last = (known.length === 0 ? all : known)
    .flatMap((event) => withUndos(space, event, new Set()))
    .reduce<Answerable | null>((one, other) => (one === null || isLater(other, one) ? other : one), null);
  if (last === null) return null;
  const deed = describeDeed(space, last);
  return isKnownNote(space, last) ? deed : { ...deed, sentence: `According to ${last.name}: ${deed.sentence}` };
}

function withUndos(space: ReadAccess, event: Answerable, seen: ReadonlySet<string>): Answerable[] {
  if (seen.has(event.path)) return [];
  const undos = space.vault.catalogue
    .answersTo(event.name)
    .filter((answer) => answer.kind === 'reversal' && isKnownNote(space, answer))
    .filter(({ fields }) => fields.outcome === 'reversed' || fields.outcome === 'conflict');
  const known = new Set([...seen, event.path]);
  return [event, ...undos.flatMap((undo) => withUndos(space, undo, known))];
}

// An undo has whole seconds, so within one it comes after what it undoes.
function isLater(one: Answerable, other: Answerable): boolean {
  const [at, otherAt] = [secondOf(one), secondOf(other)];
  if (at !== otherAt) return at > otherAt;
  if (one.kind !== other.kind) return one.kind === 'reversal';
  return timeOf(one) === timeOf(other) ? one.name > other.name : timeOf(one) > timeOf(other);
}

function secondOf(event: Answerable): number {
  return Math.floor(timeOf(event) / 1000);
}

function timeOf({ kind, name, fields }: Answerable): number {
  return noteMoment(name, kind === 'event' ? fields.timestamp : fields.settled_at) || 0;
}

/** Returns what an event or an undo did, and why, in one sentence, and how to undo it. */
export function describeDeed(space: ReadAccess, event: Answerable): LastDeed {
  const at = timeOf(event) === 0 ? null : iso(timeOf(event));
  const isByUser = event.kind === 'reversal' || event.fields.confirms !== null || event.fields.dismisses !== null;
  return {
    event: event.name,
    at,
    by: isByUser ? 'you' : 'steward',
    sentence: event.kind === 'reversal' ? undoSentence(space, event, at) : eventSentence(space, event, at),
    undo: undoFor(space, event),
  };
}

function undoFor(space: IndexAccess, event: Answerable): LastDeed['undo'] {
  const until = Date.parse(event.fields.undo_recipe?.expires_at ?? '');
  if (!(space.context.now() <= until) || isReversed(space, event)) return null;
  return { command: `steward undo ${shellWord(event.name)}`, until: iso(until) };
}

function undoSentence({ vault }: ReadAccess, { fields }: ReversalRecord, at: string | null): string {
  const when = whenWords(at);
  const subject = fields.reverses === null ? null : vault.catalogue.resolve(fields.reverses, ['event', 'reversal']);
  const recipe = fields.undo_recipe;
  if (fields.outcome === 'conflict')
    return `You wanted to undo the last change${when}, but the note had been edited since, so Steward left it as it is.`;
  const what = subject?.kind === 'reversal' ? 'the undo' : 'this';
  const reason = fields.reason === null ? '' : ` Your reason: ${clipped(fields.reason, MAX_QUOTE)}.`;
  if (subject?.kind === 'event' && subject.fields.dismisses !== null)
    return `You undid your answer${when}, so the proposal waits again.${reason}`;
  if (recipe === null || Object.keys(recipe.vault_patch.fields).length === 0)
    return `You undid ${what}${when}.${reason}`;
  const { target, fields: changed } = recipe.vault_patch;
  const name = stem(vault.catalogue.currentPath(target));
  const done = changePhrase('past', name, patchedFields({ fields: changed }), PLAIN_PHRASE);
  return `You undid ${what}${when}, which ${done}.${reason}`;
}

function eventSentence(space: ReadAccess, event: EventRecord, at: string | null): string {
  const { confirms, dismisses, later, undo_recipe: recipe } = event.fields;
  const when = whenWords(at);
  if (dismisses !== null) {
    const meant = answeredProposal(space, dismisses);
    return later
      ? `You said “not now”${when} to the proposal to ${phraseOf('plain', event, meant)}.`
      : `You dismissed the proposal to ${phraseOf('plain', event, meant)}${when}.`;
  }
  if (confirms !== null) {
    const meant = answeredProposal(space, confirms);
    const because = becauseWords(event.fields.from === null && meant !== null ? meant : event);
    if (recipe === null) return `You confirmed it${when}, and no change was needed${because}.`;
    return `You confirmed the proposal to ${phraseOf('plain', event, meant)}${when}${because}.`;
  }
  if (recipe === null) return undecidedSentence(space, event, when);
  return `Steward ${phraseOf('past', event, null)}${when}${becauseWords(event)}${licenceWords(event)}.`;
}

function undecidedSentence(space: ReadAccess, event: EventRecord, when: string): string {
  const { changes, mode, gates } = event.fields;
  const name = nameOf(event);
  const because = becauseWords(event);
  if (isChoice(event)) return `Steward asked you${when} which of several notes is meant${because}.`;
  if (isQuestion(event)) return `Steward asked you something about ${name}${when}${because}.`;
  const refused = gates.find(({ held }) => !held);
  const why = refused === undefined ? undefined : refusalWords(refused.gate, refused.reason);
  if (Object.keys(changes).length === 0) {
    const reason = why === undefined ? noChange(event) : `: ${withoutStop(why)}`;
    return `Steward looked at ${name}${when} and changed nothing${reason}.`;
  }
  const phrase = phraseOf('plain', event, null);
  const state = eventState(space, event);
  if (state.kind === 'settled') return `The proposal to ${phrase} closed itself: ${withoutStop(state.reason)}.`;
  if (mode === 'live') return `Steward proposed${when} to ${phrase}${because}.`;
  const held = why === undefined ? '' : `: ${withoutStop(why)}`;
  return `Steward only noted${when} that it could ${phrase}${because}${held}.`;
}

function noChange({ fields }: EventRecord): string {
  return fields.decision === 'rate_guarded' ? ': too many questions were asked in that time' : '';
}

function answeredProposal({ vault }: ReadAccess, link: string): EventRecord | null {
  const found = vault.catalogue.resolve(link, ['event']);
  return found?.kind === 'event' ? found : null;
}

function phraseOf(tense: 'past' | 'plain', event: EventRecord, meant: EventRecord | null): string {
  const changes: Changes =
    Object.keys(event.fields.changes).length > 0 ? event.fields.changes : (meant?.fields.changes ?? {});
  const name = nameOf(event.fields.target_path === null && meant !== null ? meant : event);
  if (Object.keys(changes).length === 0) return tense === 'past' ? `settled ${name}` : `do something about ${name}`;
  return changePhrase(tense, name, changes, PLAIN_PHRASE);
}

function nameOf({ fields, name }: EventRecord): string {
  return fields.target_path === null ? name : stem(fields.target_path);
}

function whenWords(at: string | null): string {
  return at === null ? '' : ` on ${at}`;
}

const MAX_QUOTE = 160;

/**
 * Returns on whose words an event rests: `, because Anna Weber (anna@…) wrote “…”`; empty if it rests on no person's
 * words.
 */
function becauseWords({ fields }: EventRecord): string {
  const { from, quote, perceived, gates, source_contributions: sources } = fields;
  if (Object.keys(sources).some(isOwnHand)) return ', because you did something by hand in the vault';
  if (perceived !== null) return ', because of what the notes themselves say';
  const words = quote === null ? null : `“${withoutStop(clipped(quote, MAX_QUOTE))}”`;
  if (from === null) return words === null ? '' : `, because of these words: ${words}`;
  const who = clipped(from, MAX_QUOTE);
  // The supposed sender didn't write a forged mail.
  if (gates.some(({ gate, held }) => gate === 'forged' && !held))
    return `, because of a mail that only claims to be from ${who}${words === null ? '' : `: ${words}`}`;
  // A line of an account is the bank's, and money may have gone to the other party.
  if (isOfBookings(sources))
    return words === null ? `, because of a booking with ${who}` : `, because the booking with ${who} says ${words}`;
  // A channel by itself is nobody.
  if (/^[a-z_]+$/.test(from))
    return words === null ? `, because of something in ${who}` : `, because ${who} said ${words}`;
  return words === null ? `, because of ${who}` : `, because ${who} wrote ${words}`;
}

function licenceWords({ fields: { licence } }: EventRecord): string {
  return licence === null ? '' : ` and your licence ${licence} allows it`;
}

function withoutStop(text: string): string {
  return text.replace(/(?<![.\s])[.\s]+$/, '');
}
