import { channelPrior } from '../../src/steward/instinct.ts';
import type { Frontmatter, Yaml } from '../../src/vault/frontmatter.ts';
import { stem } from '../../src/vault/layout.ts';
import { type HistoryRow, readHistory } from '../../src/vault/note-text.ts';
import { HOUR } from '../support/clock.ts';
import { fieldsOf } from './burst.ts';
import type { Month } from './laws.ts';
import { isRecord } from './ledger.ts';

/**
 * Returns what is wrong with the instinct notes. Every step of a confidence must be in an event note, or be a person's
 * own. Every observation must be a confirmation, or an event note that says that it was found right by hand or by its week.
 * The history in the instinct note must agree.
 */
export function instinctWrongs(month: Month): string[] {
  const { world, person } = month;
  return world.files('instinct').flatMap((file) => {
    const fields = fieldsOf(world, file);
    const { source_type: source } = fields;
    if (typeof source !== 'string') return [`${file} names no source`];
    const text = world.read(file);
    const lost = (person.scribbles.get(file) ?? []).filter((line) => !text.includes(line));
    const wrong = [
      ...confidence(month, source, fields, readHistory(file, text)),
      ...observations(month, source, fields),
      ...told(month, source, fields, readHistory(file, text)),
      ...lost.map((line) => `the line ${JSON.stringify(line)} is gone`),
    ];
    return wrong.map((one) => `${file}: ${one}`);
  });
}

/** Returns the actions whose week ended a while ago but of which nothing says what they have taught. */
export function uncounted({ world, ledger }: Month): string[] {
  return [...ledger.events].flatMap(([event, fields]) => {
    const closes = closesAt(fields);
    if (!isAction(fields) || closes > world.clock.now() - 2 * HOUR || isSettled(ledger.events, event)) return [];
    return typeof fieldsOf(world, event).taught === 'string'
      ? []
      : [`${event}: its week is over, and it has taught nothing`];
  });
}

function isSettled(events: ReadonlyMap<string, Frontmatter>, event: string): boolean {
  return [...events.values()].some(({ reverses }) => nameIn(reverses) === stem(event));
}

/** What an event has taught later by itself has no answer note: the history tells it. */
const TAUGHT_LATER = /^(?:made by hand|set otherwise by hand|kept for seven days): /;

function confidence(
  { ledger, person }: Month,
  source: string,
  { confidence: figure }: Frontmatter,
  rows: readonly HistoryRow[],
): string[] {
  if (rows.length >= 20) return []; // older rows are gone

  if (typeof figure !== 'number' || figure < 0 || figure > 1) return [`confidence ${JSON.stringify(figure)}`];
  const steps = [...ledger.events.values()].map((event) => stepOf(event, source));
  const own = rows.filter(({ what }) => TAUGHT_LATER.test(what));
  const later = own.reduce((all, row) => all + row.after - row.before, 0);
  const sum =
    channelPrior(source) + steps.reduce((all, step) => all + step, 0) + later + (person.moved.get(source) ?? 0);
  return Math.abs(sum - figure) < 1e-6 ? [] : [`confidence ${figure}, explained is ${sum}`];
}

function observations({ world, ledger }: Month, source: string, fields: Frontmatter): string[] {
  const counted = [...ledger.events].filter(([event, about]) => {
    if (!sourcesOf(about).includes(source)) return false;
    const isRight = typeof about.confirms === 'string' || fieldsOf(world, event).taught === 'right';
    return isRight && !wasReversed(ledger.events, event, Number.POSITIVE_INFINITY);
  });
  return counted.length === fields.observations
    ? []
    : [`observations ${JSON.stringify(fields.observations)}, the event notes tell of ${counted.length}`];
}

// Each row must start where the one before it ended, and agree with the note it links to.
function told(month: Month, source: string, fields: Frontmatter, rows: readonly HistoryRow[]): string[] {
  const last = rows.at(-1);
  const isTold = last?.after === fields.confidence || fields.confidence === month.person.set.get(source);
  return [
    ...(rows.length > 20 ? [`the history has ${rows.length} rows`] : []),
    ...(isTold ? [] : [`the history ends at ${last?.after}, the confidence is ${JSON.stringify(fields.confidence)}`]),
    ...rows.flatMap((row, nth) => (nth > 0 && rows[nth - 1]?.after !== row.before ? [`a gap before ${row.what}`] : [])),
    ...rows.flatMap((row) => untold(month, source, row)),
  ];
}

function untold({ world, ledger }: Month, source: string, { what, before, after }: HistoryRow): string[] {
  const name = /\[\[(.+?)\]\]/.exec(what)?.[1];
  if (name === undefined) return /by hand/.test(what) ? [] : [`a row about nothing: ${what}`];
  const found = [...ledger.events].find(([path]) => stem(path) === name);
  const event = found?.[1];
  if (event === undefined) return [`a row about ${name}, which is not there`];
  // What an event has taught is written into it later than the ledger took it down.
  if (found !== undefined && TAUGHT_LATER.test(what)) {
    return typeof fieldsOf(world, found[0]).taught === 'string' ? [] : [`${name} does not say what it taught`];
  }
  const said = isRecord(event.calibration) ? event.calibration[source] : undefined;
  return before === after || said === `${before} → ${after}`
    ? []
    : [`${name} says ${said}, the row ${before} → ${after}`];
}

function stepOf({ calibration }: Frontmatter, source: string): number {
  const written = isRecord(calibration) ? calibration[source] : null;
  const figures = typeof written === 'string' ? (written.match(/\d+(\.\d+)?/g) ?? []).map(Number) : [];
  return (figures[1] ?? 0) - (figures[0] ?? 0);
}

function isAction({ type, undo_recipe: recipe }: Frontmatter): boolean {
  return (type === 'steward-action' || type === 'signal-action') && isRecord(recipe);
}

function closesAt({ undo_recipe: recipe }: Frontmatter): number {
  return isRecord(recipe) ? Date.parse(String(recipe.expires_at)) : Number.NaN;
}

function sourcesOf({ source_contributions: shares }: Frontmatter): string[] {
  return isRecord(shares) ? Object.keys(shares) : [];
}

function wasReversed(events: ReadonlyMap<string, Frontmatter>, event: string, at: number): boolean {
  return [...events].some(([path, { outcome, reverses, settled_at: settled }]) => {
    const isOf = outcome === 'reversed' && nameIn(reverses) === stem(event) && Date.parse(String(settled)) <= at;
    return isOf && !wasReversed(events, path, at);
  });
}

function nameIn(link: Yaml | undefined): string {
  return stem(String(link).replace(/^\[\[|\]\]$/g, ''));
}
