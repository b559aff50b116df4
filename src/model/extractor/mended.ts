import { jsonOf } from '../json-in-text.ts';

/** What a model that names no confidence is taken to have: too little for anything but a proposal. */
const UNSAID = 0.5;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns a reply in the form that was asked for, where a small model wrote the same in another: a list in place of the object
 * around it, one thing in place of a list of one, a number as text, a field left out. What it says stays as it is.
 */
export function mended(said: unknown): unknown {
  const whole = unwrapped(said);
  if (Array.isArray(whole)) return { signals: whole.map(mendedSignal) };
  if (!isFields(whole)) return whole;
  if ('signals' in whole) return { signals: listOf(whole.signals, mendedSignal) };
  return 'note' in whole ? { signals: [mendedSignal(whole)] } : whole;
}

function mendedSignal(said: unknown): unknown {
  if (!isFields(said)) return said;
  const { note, or_notes, note_confidence, quote, effect_confidence, reasoning } = said;
  return {
    note: typeof note === 'string' ? note.trim().toLowerCase() : note,
    or_notes: listOf(or_notes, (one) => (typeof one === 'string' ? one.toLowerCase() : one)),
    note_confidence: share(note_confidence),
    // Without a quote the signal is worthless, not the whole reply.
    quote: quote ?? '',
    changes: changesIn(said),
    effect_confidence: share(effect_confidence),
    reasoning: reasoning ?? '',
  };
}

/** The changes as a list, as one change, as a table of fields and values, or beside the quote. */
function changesIn(said: Fields): unknown {
  const changes = unwrapped(said.changes ?? ('field' in said ? said : []));
  if (Array.isArray(changes)) return changes.map(mendedChange);
  if (!isFields(changes)) return changes;
  if ('field' in changes) return [mendedChange(changes)];
  return Object.entries(changes).map(([field, value]) => ({ field, op: 'set', value }));
}

function mendedChange(said: unknown): unknown {
  return isFields(said) ? { field: said.field, op: said.op ?? 'set', value: said.value } : said;
}

/** `0.9`, `"0.9"` and `"90 %"` as 0.9. */
function share(said: unknown): unknown {
  if (said === undefined || said === null) return UNSAID;
  const [, figure, percent] =
    typeof said === 'string' ? (/^\s*(\d{1,3}(?:\.\d{1,9})?)\s*(%)?\s*$/.exec(said) ?? []) : [];
  return figure === undefined ? said : Number(figure) / (percent === undefined ? 1 : 100);
}

function listOf(said: unknown, each: (one: unknown) => unknown): unknown {
  const list = unwrapped(said);
  if (list === undefined || list === null || list === '') return [];
  if (Array.isArray(list)) return list.map(each);
  return isFields(list) || /^c\d+$/i.test(String(list)) ? [each(list)] : list;
}

/** Some models write a list or an object as the text of one. */
function unwrapped(said: unknown): unknown {
  return typeof said === 'string' && /^\s*[[{]/.test(said) ? (jsonOf(said) ?? said) : said;
}

function isFields(said: unknown): said is Fields {
  return typeof said === 'object' && said !== null && !Array.isArray(said);
}
