import type { Checked } from './checked.ts';
import type { Place } from './places/place.ts';
import type { PlaceCheck, PlaceFinding } from './places/place-check.ts';
import { placesIn } from './places/places.ts';
import { saidOf } from './places/said.ts';
import { sentenceAt } from './sentence.ts';
import { isDenied, isPlannedAt } from './wording.ts';

/** A place of a message, and the result of looking for it. */
export interface CheckedPlace {
  readonly place: Place;
  readonly finding: PlaceFinding;
}

/** Places beyond this many in one message are not looked for. */
const MAX_PLACES = 100;

/** Looks for every place that a message names. */
export function checkPlaces(text: string, check: PlaceCheck): CheckedPlace[] {
  const places = placesIn(text);
  const looked = places
    .slice(0, MAX_PLACES)
    .map((place) => ({ place, finding: check.find(place, saidOf(place, places, text)) }));
  return [...looked, ...tooMany(places.slice(MAX_PLACES))];
}

/** One entry stands for all that are not looked for. */
function tooMany([place, ...more]: readonly Place[]): CheckedPlace[] {
  if (place === undefined) return [];
  const reason = `This place and ${more.length} more behind it were not looked for: a message may name ${MAX_PLACES}.`;
  return [{ place, finding: { holds: false, reason } }];
}

const MAX_SENTENCE = 200;

/** Returns what is said of a place in the list of what was checked. `message` is still to be filled in. */
export function placeEntry(agent: string, text: string, { place, finding }: CheckedPlace): Omit<Checked, 'message'> {
  return {
    agent,
    about: 'place',
    figure: place.text.trim(),
    at: place.start,
    sentence: sentenceAt(text, place.start).slice(0, MAX_SENTENCE).trim(),
    finding: finding.holds ? 'borne-out' : isClaimed(place, text) ? 'unsupported' : 'proposed',
    cites: place.lines !== null,
    reason: finding.holds ? null : finding.reason,
  };
}

// Lines of a file can be missed by somebody, but only a file or a name can be planned.
function isClaimed({ start, end, lines }: Place, text: string): boolean {
  return !isDenied(text, start, end) && (lines !== null || !isPlannedAt(text, start));
}

/** By what two mentions of a place are known to be the same. */
export function keyOfPlace({ file, lines, named }: Place): string {
  return JSON.stringify(['place', file.slice(file.lastIndexOf('/') + 1), lines, named?.name ?? null]);
}
