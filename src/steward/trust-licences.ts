import type { SignalRecord, TargetRecord } from '../vault/index/record.ts';
import { claimedPattern, isAgent, patternOf, plainSender, sourceKey } from '../vault/source-names.ts';
import type { AuthenticationResult, SenderStanding } from '../vault/status-words.ts';
import { EARNED_AFTER, noVoucher } from './gates-sender-gate.ts';
import { instinctOf, knownInstincts, silenceOf, thresholdOf } from './learning/sources.ts';
import type { Instinct } from './learning.ts';
import { comesAfter } from './proposals.ts';
import { type Speaker, speakerOf, type TrustSpace } from './trust/speaker.ts';
import { matterOf, notesOf, owedBy, sendersOf, standingOf } from './trust.ts';

/**
 * Returns what a source still lacks to act by itself on a matter, as whole sentences; null where it lacks nothing, or
 * where it never acts by itself. `where`: the matter's name, or the note's.
 */
export function lackWords(licence: Licence, where: string): string | null {
  const { source, known, writer } = licence;
  if (writer === 'unknown') return null;
  if (licence.silence !== null) return licence.silence;
  if (isAgent(source)) return null;
  const unvouched = unvouchedWords(licence);
  if (known === 'unknown') {
    const earns = `${source} has ${outcomes(licence)} on ${where}; until then it only proposes there.`;
    return unvouched === null ? earns : `${earns} Besides, ${unvouched}.`;
  }
  if (licence.owed > 0) return `A change from ${source} was taken back; ${moreWords(licence.owed)} before it may act.`;
  if (unvouched === null) return null;
  return `${source} ${known === 'named' ? `is named on ${where}` : `has ${outcomes(licence)} on ${where}`}, but ${unvouched}.`;
}

/** Returns a licence in one line, with its figures. `where`: the matter's name, or the note's. */
export function licenceWords(licence: Licence, where: string): string {
  const { source, writer, confidence, threshold, silence, pinned, status } = licence;
  if (writer === 'unknown') return `${source}: others write its signals, and no setting trusts it, so it never acts`;
  if (isAgent(source))
    return `${source}: an agent, so it never acts; right ${timesWords(licence.observations)} in all; trust ${confidence}`;
  const marks = [...(pinned ? ['pinned'] : []), ...(status === 'live' ? [] : [status])];
  const needs = threshold === null ? `it stays unheard: ${silence}` : `${threshold} needed`;
  return [
    `${source}: ${standingWords(licence, where)}`,
    voucherWords(licence),
    `right ${timesWords(licence.observations)} in all, ${needs}`,
    `trust ${confidence}`,
    ...(licence.owed > 0 ? [`a change was taken back; ${moreWords(licence.owed)} before it may act`] : []),
    ...marks,
  ].join('; ');
}

function standingWords(licence: Licence, where: string): string {
  const { known, writer } = licence;
  if (writer === 'trusted') return `trusted by the settings, ${outcomes(licence)} on ${where}`;
  const words = { named: 'named', earned: 'earned', unknown: 'not named' } as const;
  return `${words[known]}, ${outcomes(licence)} on ${where}`;
}

function voucherWords({ source, writer, vouched, server }: Licence): string {
  if (writer === null) return 'no signal so far';
  if (vouched === 'pass') return `${server ?? 'its channel'} vouches for it`;
  return vouched === 'fail'
    ? `${server ?? 'the mail server'} says it is forged`
    : `${noVoucher(source)} vouches for it`;
}

function unvouchedWords(licence: Licence): string | null {
  return licence.writer === null || licence.vouched === 'pass' ? null : voucherWords(licence);
}

function outcomes({ right, needed }: Licence): string {
  return `${right} of ${needed} right outcomes`;
}

function moreWords(owed: number): string {
  return `${owed} more right ${owed === 1 ? 'outcome' : 'outcomes'} needed`;
}

/** Returns how often something was so: `once`, `3 times`. */
export function timesWords(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** What a source may do on a matter, and what it still lacks. */
export interface Licence {
  readonly source: string;
  readonly known: SenderStanding;
  /** Right outcomes on this matter, and how many an unnamed sender needs. */
  readonly right: number;
  readonly needed: number;
  /** Who wrote its newest signal; null where it has written none here. */
  readonly writer: Speaker['writer'] | null;
  /** Whether its channel vouched for it in that signal, and which server said so. */
  readonly vouched: AuthenticationResult | null;
  readonly server: string | null;
  readonly confidence: number;
  /** Right outcomes anywhere. */
  readonly observations: number;
  /** How sure its signals must be here; null where they count for nothing. */
  readonly threshold: number | null;
  /** How many right outcomes it still lacks since an action of it was taken back; 0 where none. */
  readonly owed: number;
  readonly status: Instinct['status'];
  readonly pinned: boolean;
  /** Why nothing is made of it, or null. */
  readonly silence: string | null;
}

/**
 * Returns the licence of every source that has spoken about a note's matter, or that the note or its matter names, the
 * one that has shown most first.
 */
export function licencesOn(space: TrustSpace, target: TargetRecord): Licence[] {
  const voices = new Map(voicesOn(space, target).map((voice) => [sourceKey(voice.source), voice]));
  return [...voices.values()]
    .map((voice) => licenceOf(space, voice, target))
    .sort((one, other) => other.right - one.right || (one.source < other.source ? -1 : 1));
}

/** Returns the senders that a note or its matter names and that no source is known for, as they are written. */
export function unheardSenders(space: TrustSpace, target: TargetRecord, licences: readonly Licence[]): string[] {
  const heard = new Set(licences.map(({ source }) => plainSender(claimedPattern(patternOf(source) ?? ''))));
  return sendersOf(space, target).filter((sender) => !sender.startsWith('@') && !heard.has(sender));
}

/** Who speaks, in the newest signal where there is one. */
interface Voice extends Pick<Speaker, 'source' | 'pattern'> {
  readonly heard: Speaker | null;
}

// Later ones take the place of earlier ones: the newest signal of a source tells most of it.
function voicesOn(space: TrustSpace, target: TargetRecord): Voice[] {
  const { catalogue } = space.vault;
  const paths = notesOf(space, target);
  const events = paths.flatMap((path) => catalogue.eventsAbout(path)).toSorted((a, b) => (comesAfter(a, b) ? 1 : -1));
  const bearing = events.flatMap(({ fields }) =>
    Object.entries(fields.source_contributions).flatMap(([source, share]) => (share > 0 ? [source] : [])),
  );
  const named = new Set(sendersOf(space, target));
  const known = knownInstincts(space).flatMap(({ source }) =>
    named.has(plainSender(patternOf(source) ?? '')) ? [source] : [],
  );
  // A channel by itself is nobody: a record of before senders were told apart says nothing of who may act.
  const unheard = [...known, ...bearing]
    .map((source) => ({ source, pattern: patternOf(source), heard: null }))
    .filter(({ pattern }) => pattern !== null);
  return [...unheard, ...signalsOn(space, paths).map((signal) => voiceIn(space, signal))];
}

function voiceIn(space: TrustSpace, signal: SignalRecord): Voice {
  const heard = speakerOf(space, signal);
  return { source: heard.source, pattern: heard.pattern, heard };
}

function signalsOn({ vault: { catalogue } }: TrustSpace, paths: readonly string[]): SignalRecord[] {
  return paths
    .flatMap((path) => {
      const note = catalogue.get(path);
      return note?.kind === 'task' || note?.kind === 'matter' ? catalogue.signalsFor(note) : [];
    })
    .sort((one, other) => (createdAt(one) < createdAt(other) ? -1 : 1));
}

function createdAt({ fields, name }: SignalRecord): string {
  return `${fields.created ?? fields.origin_at ?? ''} ${name}`;
}

function licenceOf(space: TrustSpace, { source, pattern, heard }: Voice, target: TargetRecord): Licence {
  const instinct = instinctOf(space, source);
  const { confidence, observations, status, pinned } = instinct;
  return {
    source,
    ...standingOf(space, { source, pattern, writer: heard?.writer ?? 'own' }, target),
    needed: EARNED_AFTER,
    ...{ writer: heard?.writer ?? null, vouched: heard?.vouched ?? null, server: heard?.server ?? null },
    ...{ confidence, observations, owed: owedBy(instinct), status, pinned },
    threshold: thresholdOf(space, source, target),
    silence: silenceOf(space, source),
  };
}

/** Returns the matter that licences on a note are about; null for a task without one. */
export function licensingMatter(space: TrustSpace, target: TargetRecord): string | null {
  return matterOf(space.vault.catalogue, target)?.name ?? null;
}
