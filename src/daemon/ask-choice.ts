import { isChoice, isUndecided, leadsToOpen } from '../steward/attention.ts';
import { proposalChanges } from '../steward/ports/mutation-class.ts';
import { isHandsOff } from '../steward/proposal-fit.ts';
import { speakerOf } from '../steward/trust/speaker.ts';
import { shutOut } from '../steward/trust.ts';
import { choiceBody } from '../vault/choice-words.ts';
import type { SignalRecord, TargetRecord } from '../vault/index/record.ts';
import { sealEvent } from '../vault/index-keys.ts';
import { wikilink } from '../vault/links.ts';
import { clipped, fieldLine, noteText, shown } from '../vault/note-text.ts';
import { spokenFields } from '../vault/notes/spoken.ts';
import type { FieldChange } from '../vault/records.ts';
import { utc } from '../vault/time.ts';
import { type Becoming, boxFields, EVENT_CLASSES, JUDGED_BY, saysField } from '../vault/words.ts';
import type { WriteAccess } from './context.ts';
import { spokenBy } from './decide.ts';
import { modeOf } from './effective-mode.ts';

/** How many notes a person is given to choose from. */
const MOST_CANDIDATES = 10;
const MAX_TEXT = 4000;
const OPEN: Becoming = { kind: 'open', asks: 'choice' };

/**
 * Asks a person which of several notes a signal is about: writes an event note that waits for the answer. Returns its
 * path; null where nothing is to be asked, or it was asked before.
 */
export function askChoice(space: WriteAccess, signal: SignalRecord): string | null {
  const { catalogue } = space.vault;
  const isAsked = catalogue.eventsOfSignal(signal.name).some((event) => isChoice(event) || isJudged(event.fields));
  if (!isUndecided(signal) || isAsked) return null;
  const candidates = candidatesOf(space, signal);
  if (candidates.length === 0) return null;
  const now = space.context.now();
  const path = space.transactions.eventPath('signal-action', 'undecided', now);
  const text = choiceNote(space, signal, candidates, { now, path });
  if (!space.transactions.commit(path, [{ do: 'create', path, text }])) return null;
  const names = candidates.map(({ name }) => name);
  space.context.emit({ what: 'asked', event: path, signal: signal.path, candidates: names });
  return path;
}

function isJudged({ decision }: { readonly decision: string }): boolean {
  return decision !== 'rate_guarded';
}

// A note whose matter does not hear the source is none of them.
function candidatesOf(space: WriteAccess, signal: SignalRecord): TargetRecord[] {
  const { fields } = signal;
  const { source } = speakerOf(space, signal);
  const written = [...fields.target_candidates, ...(fields.target_path === null ? [] : [fields.target_path])];
  const found = new Map<string, TargetRecord>();
  for (const link of written) {
    const record = space.vault.catalogue.resolve(link, ['task', 'matter']);
    if (record?.kind !== 'task' && record?.kind !== 'matter') continue;
    if (!leadsToOpen(space, link) || isHandsOff(space, record)) continue;
    if (shutOut(space, source, record) === null) found.set(record.path, record);
  }
  return [...found.values()].slice(0, MOST_CANDIDATES);
}

// By its name, or by its path where another note has the same name.
function linkOf({ vault }: WriteAccess, { path }: TargetRecord): string {
  const link = wikilink(path);
  const isPlain = vault.catalogue.resolve(link, ['task', 'matter'])?.path === path;
  return isPlain ? link : `[[${path.replace(/\.md$/i, '')}]]`;
}

function choiceNote(
  space: WriteAccess,
  signal: SignalRecord,
  targets: readonly TargetRecord[],
  { now, path }: { readonly now: number; readonly path: string },
): string {
  const { fields } = signal;
  const links = targets.map((target) => linkOf(space, target));
  const { mutation_proposal: proposal } = fields;
  const changes = proposal === null ? [] : proposalChanges(proposal);
  const asked = changes.length === 0 ? (fields.headline ?? fields.raw_quote ?? '') : changes.map(changeText).join('; ');
  const said = spokenFields(spokenBy(space, [signal]));
  const frontmatter = {
    ...boxFields(OPEN),
    change: fieldLine(asked),
    ...said,
    waiting: true,
    outcome: 'proposed',
    candidates: links,
    cssclasses: EVENT_CLASSES,
    type: 'signal-action',
    timestamp: utc(now),
    target: null,
    target_path: null,
    decision: 'needs_input',
    confidence: fields.target_confidence,
    mode: modeOf(space.context, null) === 'shadow' ? 'shadow' : 'live',
    changes: {},
    source_contributions: {},
    signals: [wikilink(signal.path)],
    signals_summary: fieldLine(fields.headline ?? ''),
    evaluator: JUDGED_BY.chooses,
    gates: [],
    pending_confirmation: true,
    ...saysField(OPEN),
    plane_action: null,
    undo_recipe: null,
  };
  const body = choiceBody({
    ...{ signal: signal.name, candidates: links, from: said.from, quote: said.quote },
    ...{ headline: fields.headline, reasoning: fields.reasoning, changes: changes.map(changeText) },
  });
  return noteText(sealEvent(space.context.seal, path, frontmatter), body);
}

function changeText({ field, op, value }: FieldChange): string {
  return clipped(op === 'set' ? `${field} → ${shown(value)}` : `${field}: ${op} ${shown(value)}`, MAX_TEXT);
}
