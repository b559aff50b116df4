import type { Question, QuestionFiles, WeighedSignal } from '../../steward/ports/evaluator.ts';
import { clipped } from '../../vault/notes/note-text.ts';
import type { Yaml } from '../../vault/records/values.ts';
import { quoted } from '../quoted-data.ts';

/** How much of the note and of each text is shown, in characters: in full, and in brief below. */
export const FULL = { text: 1000, fields: 12_000, signals: 50 } as const;
const BRIEF = { text: 200, fields: 2000, signals: 10 } as const;
const HOUR_MS = 3_600_000;
/** How many registered files are listed. */
const MAX_PATHS = 100;

/** Returns what a question and its reply call a signal: a name made from its position, since its own name is data. */
export function signalName(index: number): string {
  return `s${index + 1}`;
}

/**
 * Returns a question as a model is asked it: the note and its signals as JSON between marks. The data cannot close the
 * marks, because every angle bracket in it is escaped. `brief`: for a provider that found the full question too long.
 */
export function questionText({ target, signals, files, now }: Question, brief = false): string {
  const limits = brief ? BRIEF : FULL;
  const note = noteData(target, limits);
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

/** Returns the note under judgement as a model is shown it. */
export function noteData(
  { path, kind, state, matter, fields }: Question['target'],
  limits: typeof FULL | typeof BRIEF,
) {
  return { path, kind, state, matter, fields: shownFields(fields, limits) };
}

function filesText({ paths, extracts }: QuestionFiles, max: number): readonly string[] {
  const names = paths.slice(0, MAX_PATHS).map((file) => quoted({ file }, max));
  const found = extracts?.map((text) => quoted({ found: text }, max)) ?? [];
  return [
    `<files>\n${names.join('\n')}\n</files>`,
    ...(found.length === 0 ? [] : [`<extracts>\n${found.join('\n')}\n</extracts>`]),
  ];
}

// A proposal that is too long is left out: cut in the middle, it would propose something else.
function signalData(signal: WeighedSignal, index: number, max: number) {
  const tooLong = JSON.stringify(signal.proposal).length > 4 * max;
  return {
    signal: signalName(index),
    source: signal.source,
    hours_ago: Math.round(signal.ageMs / HOUR_MS),
    effect: signal.effect,
    effect_confidence: signal.effectConfidence,
    target_confidence: signal.targetConfidence,
    headline: signal.headline,
    quote: signal.quote,
    proposal: tooLong ? null : signal.proposal,
  };
}

/** Returns the note's fields in their order, each clipped, as many as there is room for. */
export function shownFields(fields: Question['target']['fields'], { text, fields: room }: typeof FULL | typeof BRIEF) {
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
