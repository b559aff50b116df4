import { ourName } from '../steward/changes.ts';
import { MODES, type Mode } from '../steward/gates-rounding.ts';
import {
  type Advice,
  adviceOn,
  adviceSentence,
  type Case,
  FATES,
  type Fate,
  fateOf,
  fateWords,
  findingOf,
  type Group,
  groupsOf,
  type ModeTally,
  modeTally,
  NO_OVERRIDES,
  type Outcome,
  percent,
  type Sighting,
  type Tally,
  tallyOf,
  unknownSentence,
} from '../steward/hindsight.ts';
import type { Experience } from '../steward/learning/experience.ts';
import type { Sight } from '../steward/learning.ts';
import { silenceCounts } from '../steward/learning-outcomes.ts';
import { classOf } from '../steward/ports/mutation-class.ts';
import { isOwnNote } from '../steward/ports/own-notes.ts';
import { isReversed } from '../steward/proposals/reversed.ts';
import { answerOf } from '../steward/proposals.ts';
import { type Licence, lackWords, licencesOn, licensingMatter } from '../steward/trust-licences.ts';
import type { EventRecord, TargetRecord } from '../vault/index/record.ts';
import { nameKey } from '../vault/index-keys.ts';
import { fold, stem } from '../vault/note-names.ts';
import { momentOf, oneLine } from '../vault/note-text.ts';
import type { Frontmatter } from '../vault/records/values.ts';
import { sourceKey } from '../vault/source-names.ts';
import type { StatusWords } from '../vault/status-words.ts';
import { iso } from '../vault/time.ts';
import { aboutMatter } from './answers/orders.ts';
import type { IndexAccess, Workspace } from './context.ts';
import { modeOf, targetPath } from './effective-mode.ts';
import { type KeptNote, keepNote } from './kept-note.ts';
import {
  bearing,
  decisionsIn,
  inOrder,
  isGuarded,
  Replayer,
  type Reproduction,
  recordedExperience,
  recordedOutcome,
} from './report.ts';

/**
 * Below this many characters of JSON an event note holds the whole former frontmatter; above it, fields are left out.
 */
const SURELY_WHOLE = 12 * 1024;

/** A state of a note, and the names of the signals that were weighed on it. */
interface ObservedState extends Sighting {
  readonly signals: ReadonlySet<string>;
}

/** The states that one note was observed in, oldest first. */
interface NoteHistory {
  readonly states: readonly ObservedState[];
  readonly present: Sight | null;
  /** Event path → how many of the states are not later than it. */
  readonly until: ReadonlyMap<string, number>;
}

/** The states that each note was observed in: at every event about it, and as it is now. Each event is read once. */
class ObservedStates {
  readonly #space: Workspace;
  readonly #histories = new Map<string, NoteHistory>();
  readonly #eventsAbout: ReadonlyMap<string, readonly EventRecord[]>;

  constructor(space: Workspace) {
    this.#space = space;
    this.#eventsAbout = Map.groupBy(space.vault.catalogue.events(), (event) => keyOf(targetPath(space.vault, event)));
  }

  /**
   * Returns the states of the event's note after the event, oldest first. A later event that weighed one of its signals
   * decided about all its fields again.
   */
  after(event: EventRecord): Iterable<Sighting> {
    const { states, until } = this.#historyOf(targetPath(this.#space.vault, event));
    const from = until.get(event.path) ?? states.length;
    const fields = Object.keys(event.fields.changes);
    const signals = event.fields.signals.map(nameKey);
    return {
      *[Symbol.iterator]() {
        for (let at = from; at < states.length; at += 1) {
          const state = states[at];
          if (state === undefined) return;
          const isWeighedAgain = signals.some((signal) => state.signals.has(signal));
          yield isWeighedAgain ? { ...state, decided: fields } : state;
        }
      },
    };
  }

  /** Returns the event's note as it is now; null where it is gone, or cannot be read. */
  present(event: EventRecord): Sight | null {
    return this.#historyOf(targetPath(this.#space.vault, event)).present;
  }

  #historyOf(path: string | null): NoteHistory {
    const key = keyOf(path);
    const known = this.#histories.get(key);
    if (known !== undefined) return known;
    const events = inOrder(this.#eventsAbout.get(key) ?? []);
    const { words } = this.#space.vault.catalogue;
    const note = path === null ? null : this.#space.notes.fresh(path);
    const present = note === null ? null : { fields: note.data, isWhole: true, words };
    const now = { at: this.#space.context.now(), decided: [], signals: new Set<string>() };
    const history: NoteHistory = {
      states: [
        ...events.map((event) => stateBefore(event, words)),
        ...(present === null ? [] : [{ ...present, ...now }]),
      ],
      present,
      until: new Map(events.map((event, nth) => [event.path, nth + 1])),
    };
    this.#histories.set(key, history);
    return history;
  }
}

// A note is known by its current path, as names compare.
function keyOf(path: string | null): string {
  return path === null ? '' : fold(path);
}

// The recorded frontmatter shortens long values; a change holds the former value of its own field.
function stateBefore({ name, fields }: EventRecord, words: StatusWords): ObservedState {
  const before = Object.entries(fields.changes).map(([field, change]) => [field, change.before] as const);
  return {
    fields: { ...fields.prior_frontmatter, ...Object.fromEntries(before) },
    isWhole: isWhole(fields.prior_frontmatter),
    words,
    at: momentOf(name, fields.timestamp),
    decided: Object.keys(fields.changes),
    signals: new Set(fields.signals.map(nameKey)),
  };
}

function isWhole(prior: Frontmatter): boolean {
  return Object.keys(prior).length > 0 && JSON.stringify(prior).length < SURELY_WHOLE;
}

/** The licence of a source on a matter that it has led to decisions about. */
interface ReportedLicence extends Licence {
  /** The name of the matter, or of a task without one. */
  readonly where: string;
  /** What it lacks to act there by itself, in plain words; null where it lacks nothing, or never acts by itself. */
  readonly lack: string | null;
}

/**
 * Returns the licence of each source on each matter that some cases are about, the one that has shown most first. What
 * is over needs none. Lets other work run between.
 */
async function licencesIn(space: IndexAccess, cases: readonly Case[]): Promise<ReportedLicence[]> {
  const licences: ReportedLicence[] = [];
  for (const place of placesIn(space, cases).values()) {
    licences.push(...licencesAt(space, place));
    await new Promise(setImmediate);
  }
  return licences.sort(
    (one, other) => other.right - one.right || (keyOfReportLicences(one) < keyOfReportLicences(other) ? -1 : 1),
  );
}

function licencesAt(space: IndexAccess, { target, where, sources }: Place): ReportedLicence[] {
  return licencesOn(space, target)
    .filter(({ source }) => sources.has(sourceKey(source)))
    .map((licence) => ({ ...licence, where, lack: lackWords(licence, where) }));
}

/** A matter with the sources that spoke about it, and a note of it that stands for the others. */
interface Place {
  readonly target: TargetRecord;
  readonly where: string;
  readonly sources: ReadonlySet<string>;
}

// The newest case stands for its matter: a task may name senders that its matter does not name.
function placesIn(space: IndexAccess, cases: readonly Case[]): Map<string, Place> {
  const { catalogue } = space.vault;
  const places = new Map<string, Place>();
  for (const { target: path, sources } of cases) {
    const target = path === null ? undefined : catalogue.get(catalogue.currentPath(path));
    if ((target?.kind !== 'task' && target?.kind !== 'matter') || isOver(space, target)) continue;
    const where = licensingMatter(space, target) ?? target.name;
    const known = places.get(where)?.sources ?? [];
    places.set(where, { target, where, sources: new Set([...known, ...sources.map(sourceKey)]) });
  }
  return places;
}

function isOver({ vault: { catalogue } }: IndexAccess, target: TargetRecord): boolean {
  const { state } = (target.kind === 'task' ? catalogue.matterOf(target) : target)?.fields ?? target.fields;
  return state === 'done' || state === 'archived';
}

function keyOfReportLicences({ source, where }: ReportedLicence): string {
  return `${source} ${where}`;
}

/** How often the steward was right, and what each mode would have done (`report --json`). */
export interface Report {
  readonly schemaVersion: 1;
  /** From when on decisions are counted, or null for all of them. */
  readonly since: string | null;
  readonly matter: string | null;
  readonly mode: Mode;
  readonly total: Tally;
  readonly sources: readonly Group[];
  /** By class of what was to be written. */
  readonly classes: readonly Group[];
  readonly decisions: readonly Group[];
  /** By ISO week, oldest first. */
  readonly weeks: readonly Group[];
  readonly modes: readonly ModeTally[];
  readonly advice: readonly Advice[];
  /** What each source has shown on each matter, and what it still lacks to act there by itself. */
  readonly licences: readonly ReportedLicence[];
  readonly cases: readonly ReportedCase[];
}

/** One decision in the report: its event note and what became of it. */
interface ReportedCase extends Omit<Case, 'at'> {
  readonly time: string;
}

/**
 * Returns the scorecard of a vault, from its notes alone: each event is read once. `since` in epoch ms, or null for all
 * decisions; `matter` limits it to one matter and its tasks. Throws `matter-unknown`.
 */
export async function reportOf(space: Workspace, since: number | null, matter: string | null): Promise<Report> {
  const isAbout = aboutMatter(space.vault, matter);
  const isRecent = ({ name, fields }: EventRecord) => since === null || momentOf(name, fields.timestamp) >= since;
  const cases = await casesOf(space, (event) => isAbout(event) && isRecent(event));
  const mode = modeOf(space.context, null);
  const modes = MODES.map((one) => modeTally(one, cases));
  return {
    schemaVersion: 1,
    since: since === null ? null : iso(since),
    matter,
    mode,
    total: tallyOf(cases),
    sources: groupsOf(cases, (one) => one.sources),
    classes: groupsOf(cases, (one) => [one.class]),
    decisions: groupsOf(cases, (one) => [one.decision]),
    weeks: groupsOf(cases, (one) => [weekOf(one.at)]),
    modes,
    advice: adviceOn(mode, cases, space.context.now()),
    licences: await licencesIn(space, cases),
    cases: cases.map(({ at, ...one }) => ({ ...one, time: iso(at) })),
  };
}

/** How long, at most, a long history blocks everything else. */
const SLICE_MS = 50;

/**
 * The wanted decisions that change something, oldest first, each with what became of it. Lets other work run between.
 */
async function casesOf(space: Workspace, isWanted: (event: EventRecord) => boolean): Promise<Case[]> {
  const looking: Looking = {
    replayer: new Replayer(space),
    observed: new ObservedStates(space),
    experience: recordedExperience(space),
  };
  const cases: Case[] = [];
  let since = performance.now();
  for (const event of decisionsIn(space.vault)) {
    if (isGuarded(event) || Object.keys(event.fields.changes).length === 0 || !isWanted(event)) continue;
    const found = caseOf(space, event, looking);
    if (found !== null) cases.push(found);
    if (performance.now() - since < SLICE_MS) continue;
    await new Promise(setImmediate);
    since = performance.now();
  }
  return cases;
}

/** What it takes to look back at one event after the other. */
interface Looking {
  readonly replayer: Replayer;
  readonly observed: ObservedStates;
  readonly experience: Experience;
}

function caseOf(space: IndexAccess, event: EventRecord, looking: Looking): Case | null {
  const outcome = recordedOutcome(event);
  const at = momentOf(event.name, event.fields.timestamp);
  if (outcome === 'nothing') return null;
  const { fields } = event;
  const names = Object.keys(fields.changes).map((field) => ourName(field, space.context.settings.field_mapping));
  return {
    ...{ event: event.name, at, target: fields.target_path, decision: fields.decision, outcome },
    class: classOf(names.map((field) => ({ field }))),
    sources: bearing(event).toSorted(),
    fate: fateOf({
      ...{ changes: fields.changes, at, acted: outcome === 'acted' },
      ...weekOfSilence(space, event, looking.experience),
      ...answerTo(space, event),
      taught: fields.taught !== null && isOwnNote(space, event) ? fields.taught : null,
      sightings: looking.observed.after(event),
      present: looking.observed.present(event),
    }),
    inMode: outcomesOf(looking.replayer.reproduce(event)),
  };
}

function answerTo(space: IndexAccess, event: EventRecord) {
  const answer = answerOf(space, event);
  if (answer === null) return { answer, reversed: isReversed(space, event) };
  const isDismissed = answer.fields.dismisses !== null;
  return {
    answer: isDismissed ? ('dismissed' as const) : ('confirmed' as const),
    reversed: isReversed(space, event) || (!isDismissed && isReversed(space, answer)),
  };
}

function weekOfSilence(space: IndexAccess, { fields }: EventRecord, experience: Experience) {
  const expires = Date.parse(fields.undo_recipe?.expires_at ?? '');
  return {
    closed: expires <= space.context.now(),
    known: silenceCounts(fields.source_contributions, (source) => experience.before(source, expires)),
  };
}

function outcomesOf(reproduction: Reproduction): Case['inMode'] {
  const outcome = (mode: Mode): Outcome | null =>
    reproduction.ok ? reproduction.under({ ...NO_OVERRIDES, mode }).outcome : null;
  return {
    shadow: outcome('shadow'),
    live_high_confidence_only: outcome('live_high_confidence_only'),
    live: outcome('live'),
  };
}

/** The ISO week of a moment (epoch ms), as `2026-W47`, in UTC. */
function weekOf(at: number): string {
  const day = new Date(at);
  day.setUTCHours(0, 0, 0, 0);
  day.setUTCDate(day.getUTCDate() + 4 - (day.getUTCDay() || 7));
  const week = Math.ceil(((day.getTime() - Date.UTC(day.getUTCFullYear(), 0, 1)) / 86_400_000 + 1) / 7);
  return `${day.getUTCFullYear()}-W${String(week).padStart(2, '0')}`;
}

/** The most rows of a list of events, and the most weeks of a chart: a note is for reading. */
const ROWS = 20;
const WEEKS = 12;

/**
 * Returns the scorecard as Markdown with Mermaid charts. Without a date: an unchanged report leaves the note unchanged.
 */
function reportText(report: Report): string {
  const { total } = report;
  if (total.cases === 0) return 'The steward has decided on no change yet.';
  return [
    summary(report),
    section('Ready?', adviceLines(report)),
    fence(fateChart(report)),
    ...(total.precision === null ? [] : [fence(weekChart(report.weeks))]),
    section('By source', groupTable('source', report.sources)),
    section('By what was to be written', groupTable('class', report.classes)),
    section('What each mode would have done with the same decisions', modeTable(report.modes)),
    section('Where it was wrong', caseTable(report.cases.filter((one) => findingOf(one.fate) === 'wrong'))),
    section('Newest decisions', caseTable(report.cases)),
    'How each is counted: docs/how-it-decides.md of the program, “From shadow to live”.',
  ].join('\n\n');
}

function summary({ total, mode }: Report): string {
  const { cases, right, wrong, precision } = total;
  const undecided = cases - right - wrong;
  const figures = `${cases} ${cases === 1 ? 'decision' : 'decisions'} about a change: ${right} right, ${wrong} wrong, ${undecided} not decided so far.`;
  const share =
    precision === null
      ? 'How often it was right is not known yet.'
      : `**${percent(precision.value)} right**, with 95 % confidence between ${percent(precision.low)} and ${percent(precision.high)}.`;
  return `${figures} ${share} The mode is \`${mode}\`.`;
}

function adviceLines({ advice, sources, licences }: Report): string {
  if (advice.length === 0) return 'Already the highest mode.';
  const unknown = unknownSentence(sources);
  const lacking = licences.flatMap(({ lack }) => lack ?? []);
  const rest = lacking.length > ROWS ? [`And ${lacking.length - ROWS} more senders who may only propose.`] : [];
  const lines = [...(unknown === null ? [] : [unknown]), ...lacking.slice(0, ROWS), ...rest];
  return [...advice.map(adviceSentence), ...lines.map(plain)].map((one) => `- ${one}`).join('\n');
}

/** Greens are right, reds are wrong, greys tell nothing yet. */
const COLOURS: Readonly<Record<Fate, string>> = {
  ...{ confirmed: '#2f8f5b', borne_out: '#5fb384', kept: '#98d1b0' },
  ...{ dismissed: '#e0a458', reversed: '#c8553d', contradicted: '#e08e79' },
  ...{ silent: '#b8bcc6', overtaken: '#9aa0ad', open: '#d6d9e0' },
};

function fateChart({ total }: Report): string {
  const seen = FATES.filter((fate) => total.fates[fate] > 0);
  const slices = seen.map((fate) => `    "${fateWords(fate)}" : ${total.fates[fate]}`);
  const colours = Object.fromEntries(seen.map((fate, nth) => [`pie${nth + 1}`, COLOURS[fate]]));
  return [themed({ ...colours, pieOpacity: '1' }), 'pie showData', '    title What became of them', ...slices].join(
    '\n',
  );
}

// The colours stand in the chart itself, so that they mean the same in every theme of Obsidian.
function themed(themeVariables: Readonly<Record<string, unknown>>): string {
  return `%%{init: ${JSON.stringify({ theme: 'base', themeVariables })}}%%`;
}

function weekChart(weeks: readonly Group[]): string {
  const told = weeks.filter(({ tally }) => tally.precision !== null).slice(-WEEKS);
  const names = told.map(({ name }) => `"${name}"`).join(', ');
  const shares = told.map(({ tally }) => Math.round((tally.precision?.value ?? 0) * 100)).join(', ');
  return [
    themed({ xyChart: { plotColorPalette: COLOURS.confirmed } }),
    'xychart-beta',
    '    title "Right, per cent of what is decided, by week"',
    `    x-axis [${names}]`,
    '    y-axis "per cent" 0 --> 100',
    `    bar [${shares}]`,
  ].join('\n');
}

function groupTable(what: string, groups: readonly Group[]): string {
  const rows = groups.map(({ name, tally }) => [
    cell(name),
    ...[tally.shadow, tally.proposed, tally.acted, tally.right, tally.wrong].map(String),
    String(tally.cases - tally.right - tally.wrong),
    tally.precision === null ? '–' : `${percent(tally.precision.value)}, at least ${percent(tally.precision.low)}`,
  ]);
  return table([what, 'in shadow', 'proposed', 'acted', 'right', 'wrong', 'undecided', 'right of decided'], rows);
}

function modeTable(modes: readonly ModeTally[]): string {
  const rows = modes.map((one) => [
    one.mode,
    ...[one.acts, one.proposes, one.records, one.unknown].map(String),
    one.precision === null ? '–' : `${one.right} of ${one.right + one.wrong}, at least ${percent(one.precision.low)}`,
  ]);
  return table(['mode', 'would act', 'propose', 'only record', 'unknown', 'right of its actions'], rows);
}

function caseTable(cases: readonly ReportedCase[]): string {
  if (cases.length === 0) return 'None.';
  const newest = cases.slice(-ROWS).reverse();
  const rows = newest.map((one) => [
    one.time.slice(0, 10),
    link(one.event),
    one.target === null ? '–' : link(stem(one.target)),
    cell(one.decision),
    fateWords(one.fate),
  ]);
  const rest = cases.length - newest.length;
  const more = rest === 0 ? [] : ['', `And ${rest} before these.`];
  return [table(['day', 'event', 'note', 'decision', 'what became of it'], rows), ...more].join('\n');
}

function section(title: string, text: string): string {
  return `### ${title}\n\n${text}`;
}

function fence(chart: string): string {
  return `\`\`\`mermaid\n${chart}\n\`\`\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A link, or the bare name where it has characters that a link cannot hold. */
function link(name: string): string {
  return /[[\]|#^<>%\\`\p{Cc}\u2028\u2029]/u.test(name) ? cell(name) : `[[${name}]]`;
}

function cell(text: string): string {
  return plain(text).slice(0, 80);
}

// Names come from outside, so they must not form a table cell, a link, code or a comment.
function plain(text: string): string {
  return oneLine(text).replace(/[[\]|<>\\`%*]/g, ' ');
}

/** The note that holds the scorecard. */
export const REPORT_NOTE = 'Steward report.md';

/** What `steward report` asks for; `since` in epoch ms. */
interface ReportRequest {
  readonly since: number | null;
  readonly matter: string | null;
}

/**
 * Returns the report that is asked for, and updates the note in the vault, which always covers the whole vault. Waits for a
 * note that is being edited, but not for ever. Throws `matter-unknown`.
 */
export async function report(
  space: Workspace,
  { since, matter }: ReportRequest,
): Promise<{ readonly report: Report; readonly note: KeptNote }> {
  const asked = await reportOf(space, since, matter);
  const whole = since === null && matter === null ? asked : await reportOf(space, null, null);
  const note = await keepNote(space, { path: REPORT_NOTE, name: 'report' }, reportText(whole));
  return { report: asked, note };
}
