import type { Workspace } from '../daemon/context.ts';
import { referencesWritten } from '../reading/money.ts';
import { listCorrespondents } from '../reading/targets.ts';
import { asWritten, stem, stemmedWords, tellingWords } from '../reading/text.ts';
import { afterRight, findInstinct } from '../steward/instinct.ts';
import { isLicensed, unlicensable } from '../steward/licence.ts';
import { isUntaught } from '../steward/outcomes.ts';
import { findMatter, names, trackRecordWords } from '../steward/sender.ts';
import type { StreamEvent } from '../steward/types.ts';
import { syncTargets } from '../streams/target-sync.ts';
import type { LicenceKind, MatterRecord, TargetRecord } from '../vault/record.ts';
import { parsePattern } from '../vault/source-names.ts';
import { localDate } from '../vault/time.ts';
import { type ExtraNames, isEnd } from './past-vault.ts';
import { countedCases, type GatheredEvent, type RehearsedCase } from './rehearsal-evaluation.ts';

/** A licence that the past supports. */
export interface LicenceOffer {
  readonly sender: string;
  /** The path and the name of the matter. */
  readonly matterPath: string;
  readonly matter: string;
  readonly kinds: readonly LicenceKind[];
  /** `right 4 of 5 times, on 3 days, in a rehearsal`. */
  readonly evidence: string;
  /** How many later changes it would have applied, from its second right day on, and how many of them were right. */
  readonly applied: number;
  readonly right: number;
}

/** A sender, keyword or reference that an open note should have. */
interface NameOffer {
  /** The path of the note: a matter, or a task without one. */
  readonly note: string;
  /** How many more closed tasks and matters it would have found. */
  readonly found: number;
  /** How many more wrong proposals and questions it would have led to. */
  readonly wrong: number;
}

/** `sender`: the address. */
type SenderOffer = NameOffer & { readonly sender: string };
type KeywordOffer = NameOffer & { readonly keyword: string };
/** `reference`: a number or code, such as that of a customer or a contract. */
type ReferenceOffer = NameOffer & { readonly reference: string };

/** Right outcomes of a sender of which Steward has learnt nothing yet: one a day for each matter. */
export interface OutcomesOffer {
  readonly sender: string;
  /** When the user did what the sender had said (ISO), and the path of the note, in order of time. */
  readonly outcomes: readonly { readonly at: string; readonly note: string }[];
  /** The sender's confidence before and after. */
  readonly before: number;
  readonly after: number;
}

/** What a rehearsal offers. Nothing of it is written before a yes. */
export interface Offers {
  readonly licences: readonly LicenceOffer[];
  readonly senders: readonly SenderOffer[];
  readonly keywords: readonly KeywordOffer[];
  readonly references: readonly ReferenceOffer[];
  readonly outcomes: readonly OutcomesOffer[];
}

/** An end of a task or matter that no event led to, and since when an event could have (epoch ms). */
export interface UnfoundEnd {
  /** The path of the note. */
  readonly note: string;
  readonly from: number;
  readonly until: number;
  /** The same as `until`: ISO. */
  readonly doneAt: string;
}

/** The events that were evaluated, what they did not find, and who evaluates some of them again. */
interface Again {
  readonly events: readonly GatheredEvent[];
  readonly unfound: readonly UnfoundEnd[];
  /** Returns the cases of some events, if notes had more names. */
  readonly again: (events: readonly GatheredEvent[], extra: ExtraNames) => Promise<readonly RehearsedCase[]>;
}

/** Returns what the past supports: licences, names that notes should have, and outcomes that may count. */
export async function composeOffers(space: Workspace, all: readonly RehearsedCase[], work: Again): Promise<Offers> {
  const { index } = syncTargets(space);
  // The user is warned of an address that imitates a sender in the vault, and gets no such offer.
  const isLookAlike = (address: string | null) => address !== null && index.lookAlike(address) !== null;
  const cases = all.filter(({ source }) => !isLookAlike(parsePattern(source)));
  const trials = trialsFor(space, work).filter(({ kind, value }) => kind !== 'sender' || !isLookAlike(value));
  const tried = async (kind: NameKind) => {
    const most = trials
      .filter((one) => one.kind === kind)
      .toSorted(byPromise)
      .slice(0, MOST_TRIED[kind]);
    const offers: (NameOffer & { readonly value: string })[] = [];
    let looks = 0;
    for (const trial of most) {
      looks += trial.events.length;
      const offer = looks > MOST_LOOKS ? null : await tryOut(trial, all, work);
      if (offer !== null && offer.found > offer.wrong) offers.push({ ...offer, value: trial.value });
    }
    return offers;
  };
  return {
    licences: licencesOf(space, cases),
    senders: (await tried('sender')).map(({ value: sender, ...rest }) => ({ sender, ...rest })),
    keywords: (await tried('keyword')).map(({ value: keyword, ...rest }) => ({ keyword, ...rest })),
    references: (await tried('reference')).map(({ value: reference, ...rest }) => ({ reference, ...rest })),
    outcomes: outcomesOf(space, cases),
  };
}

function outcomesOf(space: Workspace, cases: readonly RehearsedCase[]): OutcomesOffer[] {
  const right = countedCases(cases).filter(
    ({ verdict, would, by, doneAt }) =>
      // Steward has learnt from what it did itself; and the last edit of a file is of any later day.
      verdict === 'right' && would !== 'asked' && doneAt !== null && by !== 'steward' && by !== 'file',
  );
  const groups = [...Map.groupBy(right, ({ source }) => source)];
  return groups.flatMap(([sender, own]): OutcomesOffer[] => {
    if (!isUntaught(space, sender)) return [];
    const days = new Map<string, { at: string; note: string }>();
    for (const one of own.toSorted((a, b) => ((a.doneAt ?? '') < (b.doneAt ?? '') ? -1 : 1))) {
      const [note = ''] = one.notes;
      const day = `${dayOf(one.doneAt)} ${matterOfCase(space, one)?.path ?? note}`;
      if (!days.has(day)) days.set(day, { at: one.doneAt ?? '', note });
    }
    const outcomes = [...days.values()];
    const before = findInstinct(space, sender);
    const after = outcomes.reduce(afterRight, before);
    return [{ sender, outcomes, before: before.confidence, after: after.confidence }];
  });
}

/** A licence is offered after right outcomes on this many days (contract, 6.16). */
const DAYS_OF_OFFER = 2;

function licencesOf(space: Workspace, all: readonly RehearsedCase[]): LicenceOffer[] {
  const groups = Map.groupBy(
    countedCases(all).flatMap((one) => {
      const matter = matterOfCase(space, one);
      return matter === null ? [] : [{ one, matter }];
    }),
    ({ one, matter }) => `${one.source}\n${matter.path}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined
      ? []
      : licenceFor(
          space,
          group.map(({ one }) => one),
          first.one.source,
          first.matter,
        );
  });
}

function licenceFor(
  space: Workspace,
  cases: readonly RehearsedCase[],
  sender: string,
  matter: MatterRecord,
): LicenceOffer[] {
  const right = cases.filter(({ verdict }) => verdict === 'right');
  const wrong = cases.filter(({ verdict }) => verdict === 'wrong').length;
  const days = [...new Set(right.map(({ doneAt }) => dayOf(doneAt)))].toSorted();
  const second = days[DAYS_OF_OFFER - 1];
  if (second === undefined || wrong >= right.length) return [];
  if (unlicensable(sender) !== null || isLicensed(space, sender, matter)) return [];
  const later = cases.filter(({ at, needsLicenceOnly, verdict }) => {
    return needsLicenceOnly && localDate(Date.parse(at)) > second && verdict !== 'unknown';
  });
  const kinds = [...new Set(right.flatMap(({ change }) => change?.kind ?? []))].toSorted();
  const words = trackRecordWords({ right: right.length, wrong, days: days.length });
  return [
    {
      ...{ sender, matterPath: matter.path, matter: matter.name, kinds },
      evidence: `${words}, in a rehearsal`,
      applied: later.length,
      right: later.filter(({ verdict }) => verdict === 'right').length,
    },
  ];
}

function dayOf(time: string | null): string {
  return time === null ? '' : localDate(Date.parse(time));
}

function matterOfCase(space: Workspace, one: RehearsedCase): MatterRecord | null {
  const target = targetOfCase(space, one);
  return target === null ? null : findMatter(space.vault.catalogue, target);
}

type NameKind = 'sender' | 'keyword' | 'reference';

/** How many names are tried: each takes another look at its events. */
const MOST_TRIED: Readonly<Record<NameKind, number>> = { sender: 20, keyword: 10, reference: 10 };
/** How many events are looked at again for each kind. */
const MOST_LOOKS = 3000;
/** A keyword is rare: at most this many events have it, or this share of them. */
const MOST_WITH_WORD = 5;
const MOST_SHARE = 0.01;
const LEAST_LETTERS = 4;
/** So much of a text is searched for words and references (characters). */
const MOST_TEXT = 4000;

/** A name that a note could have, and the ends that it might have found. */
interface NameTrial {
  readonly kind: NameKind;
  readonly value: string;
  /** The path of the note that would have it. */
  readonly note: string;
  readonly ends: Set<UnfoundEnd>;
  /** All events that have it. */
  readonly events: readonly GatheredEvent[];
}

function byPromise(one: NameTrial, other: NameTrial): number {
  return other.ends.size - one.ends.size || one.events.length - other.events.length;
}

// The names to try: those in events shortly before an end without a cause, that neither the note nor its matter has.
function trialsFor(space: Workspace, { events, unfound }: Again): NameTrial[] {
  if (unfound.length === 0) return [];
  const named = new NamedEvents(events);
  const trials = new Map<string, NameTrial>();
  for (const end of unfound) {
    const target = targetAt(space, end.note);
    if (target === null) continue;
    for (const one of events) {
      if (one.at < end.from || one.at >= end.until) continue;
      for (const name of named.namesOf(one)) {
        const note = holderOf(space, target, name);
        if (note === null) continue;
        const key = JSON.stringify([name, note]);
        const trial = trials.get(key) ?? { ...name, note, ends: new Set<UnfoundEnd>(), events: named.withName(name) };
        trials.set(key, trial);
        trial.ends.add(end);
      }
    }
  }
  return [...trials.values()];
}

interface EventName {
  readonly kind: NameKind;
  readonly value: string;
}

// Null if it has the name already, or is closed: a closed note finds no event any more. A number leads to the note that has it,
// any other name to the tasks of its matter too.
function holderOf(space: Workspace, target: TargetRecord, { kind, value }: EventName): string | null {
  const matter = findMatter(space.vault.catalogue, target) ?? target;
  const note = kind === 'reference' && !isEnd(target.fields.state) ? target : matter;
  if (isEnd(note.fields.state)) return null;
  if (kind === 'sender') return names(space, target, { pattern: value }) ? null : note.path;
  const known = [target, matter].flatMap(({ name, fields }) => [name, ...fields.aliases, ...fields.keywords]);
  const words = new Set(known.flatMap(kind === 'keyword' ? stemmedWords : (text) => [...referencesWritten(text)]));
  return words.has(kind === 'keyword' ? stem(value) : value) ? null : note.path;
}

/** Events by their senders, rare words and references. */
class NamedEvents {
  readonly #events = new Map<string, GatheredEvent[]>();
  readonly #names = new Map<GatheredEvent, readonly EventName[]>();
  readonly #most: number;

  constructor(events: readonly GatheredEvent[]) {
    this.#most = Math.max(MOST_WITH_WORD, MOST_SHARE * events.length);
    for (const one of events)
      for (const key of keysIn(one.event)) {
        const known = this.#events.get(key);
        if (known === undefined) this.#events.set(key, [one]);
        else known.push(one);
      }
  }

  withName({ kind, value }: EventName): readonly GatheredEvent[] {
    return this.#events.get(keyOf(kind, value)) ?? [];
  }

  /** Returns what a note could have to be found by an event like this one. */
  namesOf(one: GatheredEvent): readonly EventName[] {
    const known = this.#names.get(one) ?? this.#namesIn(one);
    this.#names.set(one, known);
    return known;
  }

  #namesIn({ event }: GatheredEvent): readonly EventName[] {
    const addresses = addressesOf(event);
    const words = event.bulk || event.ownNote ? [] : tellingWords(event.subject);
    const written = asWritten(words, event.subject).filter(
      (word) => word.length >= LEAST_LETTERS && /^\p{L}+$/u.test(word) && this.#count('keyword', word) <= this.#most,
    );
    // A code of one mail alone finds no other.
    const codes = event.bulk || event.ownNote ? [] : referencesIn(event);
    const references = codes.filter((code) => !isYear(code) && this.#count('reference', code) > 1);
    return [
      ...addresses.map((value) => ({ kind: 'sender' as const, value })),
      ...written.map((value) => ({ kind: 'keyword' as const, value: value.toLowerCase() })),
      ...references.map((value) => ({ kind: 'reference' as const, value })),
    ];
  }

  #count(kind: NameKind, value: string): number {
    return this.withName({ kind, value }).length;
  }
}

function keysIn(event: StreamEvent): ReadonlySet<string> {
  const text = `${event.subject}\n${event.text.slice(0, MOST_TEXT)}`;
  return new Set([
    ...listCorrespondents(event).map((address) => keyOf('sender', address)),
    ...stemmedWords(text).map((word) => `keyword ${word}`),
    ...referencesIn(event).map((code) => keyOf('reference', code)),
  ]);
}

function keyOf(kind: NameKind, value: string): string {
  return `${kind} ${kind === 'keyword' ? stem(value.toLowerCase()) : value}`;
}

function referencesIn({ subject, text }: StreamEvent): readonly string[] {
  return [...referencesWritten(`${subject}\n${text.slice(0, MOST_TEXT)}`)];
}

function isYear(code: string): boolean {
  return /^(?:19|20)\d\d$/.test(code);
}

/**
 * Returns the addresses that notes could name: of the sender, or of the recipients of a mail that the user sent. Empty
 * if it was sent to many, or the sender isn't who the mail says.
 */
function addressesOf(event: StreamEvent): readonly string[] {
  if (event.bulk || event.ownNote || event.authentication.result === 'fail') return [];
  return listCorrespondents(event).filter((address) => /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(address));
}

async function tryOut(
  { kind, value, note, ends, events }: NameTrial,
  cases: readonly RehearsedCase[],
  { again }: Again,
): Promise<NameOffer> {
  const extra = new Map([[note, [value]]]);
  const anew = countedCases(await again(events, kind === 'sender' ? { senders: extra } : { keywords: extra }));
  const key = ({ at, file, place, notes, change }: RehearsedCase) => JSON.stringify([at, file, place, notes, change]);
  const known = new Set(cases.map(key));
  const isFound = (end: UnfoundEnd) =>
    anew.some(({ verdict, notes, doneAt }) => verdict === 'right' && notes[0] === end.note && doneAt === end.doneAt);
  const wrong = anew.filter((one) => one.verdict === 'wrong' && !known.has(key(one))).length;
  return { note, found: [...ends].filter(isFound).length, wrong };
}

function targetOfCase(space: Workspace, { notes: [path] }: RehearsedCase): TargetRecord | null {
  return path === undefined ? null : targetAt(space, path);
}

function targetAt({ vault: { catalogue } }: Workspace, path: string): TargetRecord | null {
  const record = catalogue.get(path);
  return record?.kind === 'task' || record?.kind === 'matter' ? record : null;
}
