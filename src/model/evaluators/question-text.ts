import type { Question, QuestionFiles, WeighedSignal } from '../../steward/ports/evaluator.ts';
import { clipped } from '../../vault/notes/note-text.ts';
import type { Yaml } from '../../vault/records/values.ts';

/** How much of the note and of each text is shown, in characters: in full, and where that was too long. */
const FULL = { text: 1000, fields: 12_000, signals: 50 } as const;
const BRIEF = { text: 200, fields: 2000, signals: 10 } as const;
const HOUR = 3_600_000;
/** How many registered files are named. */
const MAX_PATHS = 100;

/** The name by which a signal is called in a question and in its reply: by its place, since its own name is data. */
export function signalName(index: number): string {
  return `s${index + 1}`;
}

/**
 * A question as it is put before a model: the note and its signals as JSON between marks that the data cannot close,
 * since every angle bracket in it is an escape. `brief` for a provider that found the whole too long.
 */
export function questionText({ target, signals, files, now }: Question, brief = false): string {
  const limits = brief ? BRIEF : FULL;
  const { path, kind, state, matter, fields } = target;
  const note = { path, kind, state, matter, fields: shownFields(fields, limits) };
  const lines = signals
    .slice(0, limits.signals)
    .map((one, index) => quoted(signalData(one, index, limits.text), limits.text));
  return [
    `It is ${new Date(now).toISOString().slice(0, 16)}Z.`,
    `<note>\n${quoted(note, limits.fields)}\n</note>`,
    `<signals>\n${lines.join('\n')}\n</signals>`,
    ...(files === undefined ? [] : filesText(files, limits.fields)),
    'Judge the note.',
  ].join('\n\n');
}

function filesText({ paths, extracts }: QuestionFiles, max: number): readonly string[] {
  const names = paths.slice(0, MAX_PATHS).map((file) => quoted({ file }, max));
  const found = extracts?.map((text) => quoted({ found: text }, max)) ?? [];
  return [
    `<files>\n${names.join('\n')}\n</files>`,
    ...(found.length === 0 ? [] : [`<extracts>\n${found.join('\n')}\n</extracts>`]),
  ];
}

// A proposal too long to be read is none: cut in the middle it would propose something else.
function signalData(signal: WeighedSignal, index: number, max: number) {
  const tooLong = JSON.stringify(signal.proposal).length > 4 * max;
  return {
    signal: signalName(index),
    source: signal.sourceType,
    hours_ago: Math.round(signal.ageMs / HOUR),
    effect: signal.effect,
    effect_confidence: signal.effectConfidence,
    target_confidence: signal.targetConfidence,
    headline: signal.headline,
    quote: signal.quote,
    proposal: tooLong ? null : signal.proposal,
  };
}

/** The note's fields in their order, each clipped, as many as there is room for. */
function shownFields(fields: Question['target']['fields'], { text, fields: room }: typeof FULL | typeof BRIEF) {
  let left: number = room;
  const shown = Object.entries(fields).map(([field, value]): [string, Yaml] => [field, short(value, text)]);
  return Object.fromEntries(
    shown.filter(([field, value]) => {
      left -= field.length + JSON.stringify(value).length;
      return left >= 0;
    }),
  );
}

function short(value: Yaml, max: number): Yaml {
  if (typeof value === 'string') return clipped(value, max);
  const json = JSON.stringify(value);
  return json.length <= max ? value : clipped(json, max);
}

/**
 * Data as JSON on one line, each text at most `max` characters. Whatever ends a mark, hides from sight or cannot be sent
 * is an escape: invisible text is a favourite way to direct a model.
 */
export function quoted(data: Readonly<Record<string, unknown>>, max: number): string {
  const clip = (_key: string, value: unknown) => (typeof value === 'string' ? clipped(value, max) : value);
  return JSON.stringify(data, clip).replace(/[<>&\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]/gu, asEscape);
}

function asEscape(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return units.map((unit) => `\\u${unit}`).join('');
}
