import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DecisionTrail, evaluateFate, evaluateTrail, FATES, type Sighting } from '../../src/features/report.ts';
import type { Frontmatter, Yaml } from '../../src/vault/frontmatter.ts';
import { DAY, NOW } from '../steward/samples.ts';

function trail({
  sightings = [],
  ...parts
}: Partial<DecisionTrail> & { readonly sightings?: readonly Sighting[] } = {}): DecisionTrail {
  return {
    changes: { state: { before: 'open', after: 'done' } },
    ...{ at: NOW, acted: false, closed: false, answer: null, reversed: false, taught: null },
    ...{ sightings, present: sightings.at(-1) ?? null },
    ...parts,
  };
}

/** The note as it is seen a day after the decision. */
function seen(fields: Frontmatter, decided: readonly string[] = [], isWhole = true): Sighting {
  return { fields, isWhole, decided, at: NOW + DAY };
}

/** The same, but so late that a person's hand no longer shows anything wrong. */
function late(fields: Frontmatter, decided: readonly string[] = []): Sighting {
  return { ...seen(fields, decided), at: NOW + 7 * DAY };
}

const due = { due: { before: '2026-12-01', after: '2026-12-08' } };

describe('what a person said decides', () => {
  test.each([
    [trail({ answer: 'confirmed' }), 'confirmed'],
    [trail({ answer: 'dismissed', sightings: [seen({ state: 'done' })] }), 'dismissed'],
    [trail({ answer: 'put_off', sightings: [seen({ state: 'done' })] }), 'put_off'],
    [trail({ answer: 'confirmed', reversed: true }), 'taken_back'],
    [trail({ acted: true, closed: true, reversed: true }), 'reversed'],
    [trail({ answer: 'confirmed', taught: 'wrong' }), 'confirmed'],
  ])('%#: %o', (told, fate) => expect(evaluateTrail(told)).toBe(fate));
});

describe('what was learnt from it decides, whatever the note shows today', () => {
  test.each<[DecisionTrail['taught'], boolean, string]>([
    ['right', false, 'borne_out'],
    ['right', true, 'silent'],
    ['wrong', false, 'contradicted'],
    ['wrong', true, 'contradicted'],
  ])('%s, made: %s', (taught, acted, fate) => {
    for (const state of ['open', 'done', 'archived']) {
      expect(evaluateTrail(trail({ taught, acted, closed: acted, sightings: [seen({ state })] }))).toBe(fate);
    }
  });
});

describe('a change that was not made', () => {
  test.each<[string, Partial<DecisionTrail> & { readonly sightings?: readonly Sighting[] }, string]>([
    ['nothing is seen of it', { sightings: [] }, 'open'],
    ['the note is as it was', { sightings: [seen({ state: 'open' })] }, 'open'],
    ['the note holds it', { sightings: [seen({ state: 'done' })] }, 'borne_out'],
    ['the note says it in other words', { sightings: [seen({ state: ' Completed ' })] }, 'borne_out'],
    ['the note keeps its state under the other name', { sightings: [seen({ status: 'done' })] }, 'borne_out'],
    ['the note holds something else', { sightings: [seen({ state: 'archived' })] }, 'contradicted'],
    ['the field is gone', { changes: due, sightings: [seen({ state: 'open' })] }, 'contradicted'],
    ['the field may only be left out', { changes: due, sightings: [seen({}, [], false)] }, 'open'],
    [
      'it held it once and moved on',
      { sightings: [seen({ state: 'done' }), seen({ state: 'archived' })] },
      'borne_out',
    ],
    [
      'it was decided anew first',
      { sightings: [seen({ state: 'open' }, ['state']), seen({ state: 'done' })] },
      'overtaken',
    ],
    ['it held it when it was decided anew', { sightings: [seen({ state: 'done' }, ['state'])] }, 'borne_out'],
    [
      'another field was decided',
      { sightings: [seen({ state: 'open' }, ['due']), seen({ state: 'done' })] },
      'borne_out',
    ],
    ['it holds something else only after a week', { sightings: [late({ state: 'archived' })] }, 'open'],
    ['it holds it only after a week', { sightings: [seen({ state: 'open' }), late({ state: 'done' })] }, 'borne_out'],
  ])('%s: %o is %s', (_, parts, fate) => expect(evaluateTrail(trail(parts))).toBe(fate));

  test('the day it was done need not be the same', () => {
    const changes = { ...trail().changes, completedDate: { before: null, after: '2026-11-20' } };
    expect(evaluateTrail(trail({ changes, sightings: [seen({ state: 'done', completedDate: '2026-11-23' })] }))).toBe(
      'borne_out',
    );
  });

  test('of two fields both must hold it, and one that holds something else contradicts', () => {
    const changes = { ...due, blocked_on: { before: 'photos', after: 'the office' } };
    const held = (fields: Frontmatter) => evaluateTrail(trail({ changes, sightings: [seen(fields)] }));
    expect(held({ due: '2026-12-08', blocked_on: 'the office' })).toBe('borne_out');
    expect(held({ due: '2026-12-08', blocked_on: 'photos' })).toBe('open');
    expect(held({ due: '2026-12-08', blocked_on: 'rain' })).toBe('contradicted');
  });

  test('a list is a place for many things: only its own members tell', () => {
    const changes = { related_to: { before: ['[[a]]'], after: ['[[a]]', '[[folder/b]]'] } };
    const held = (value: Yaml) => evaluateTrail(trail({ changes, sightings: [seen({ related_to: value })] }));
    expect(held(['[[c]]', '[[b]]'])).toBe('borne_out');
    expect(held(['[[a]]', '[[c]]'])).toBe('open');
    expect(held([])).toBe('open');
  });

  test('a value too long for an event note is told by its beginning', () => {
    const after = 'long '.repeat(2000);
    const changes = { summary: { before: 'short', after } };
    expect(evaluateTrail(trail({ changes, sightings: [seen({ summary: after })] }))).toBe('borne_out');
  });
});

describe('a change that was made', () => {
  test.each<[string, Partial<DecisionTrail> & { readonly sightings?: readonly Sighting[] }, string]>([
    ['its window is open', { closed: false, sightings: [seen({ state: 'done' })] }, 'open'],
    ['its window closed', { closed: true, sightings: [late({ state: 'done' })] }, 'silent'],
    ['its note is gone', { closed: true, sightings: [] }, 'silent'],
    ['it was set back by hand', { closed: true, sightings: [seen({ state: 'open' })] }, 'contradicted'],
    ['it was set to something else by hand', { sightings: [seen({ state: 'archived' })] }, 'contradicted'],
    ['the field was taken away', { changes: due, sightings: [seen({ state: 'done' })] }, 'contradicted'],
    ['it moved on after its week', { closed: true, sightings: [late({ state: 'archived' })] }, 'silent'],
    [
      'it was decided anew',
      { closed: true, sightings: [seen({ state: 'done' }, ['state']), seen({ state: 'open' })] },
      'silent',
    ],
  ])('%s: %o is %s', (_, parts, fate) => expect(evaluateTrail(trail({ acted: true, ...parts }))).toBe(fate));

  test('a list that gained another member still holds what was added, and one that lost it does not', () => {
    const changes = { related_to: { before: ['[[a]]'], after: ['[[a]]', '[[b]]'] } };
    const held = (value: Yaml) =>
      evaluateTrail(trail({ acted: true, changes, sightings: [seen({ related_to: value })] }));
    expect(held(['[[c]]', '[[b]]', '[[a]]'])).toBe('open');
    expect(held(['[[a]]', '[[c]]'])).toBe('contradicted');
  });
});

/*
 * A second way to find a fate: a field takes a value each day, and the fate of the first change follows from all of
 * them at once.
 */
test('over courses of one field: the first thing seen that is not what it was decides, unless it was decided anew before', () => {
  const value = fc.constantFrom('open', 'done', 'archived', 'snoozed');
  const day = fc.record({ state: value, decided: fc.boolean() });
  fc.assert(
    fc.property(fc.array(day, { maxLength: 6 }), (days) => {
      const sightings = days.map(({ state, decided }) => seen({ state }, decided ? ['state'] : []));
      expect(evaluateTrail(trail({ sightings }))).toBe(naive(days));
    }),
  );
});

function naive(days: readonly { readonly state: string; readonly decided: boolean }[]): string {
  const moved = days.findIndex(({ state }) => state !== 'open');
  const anew = days.findIndex(({ decided }) => decided);
  if (anew >= 0 && (moved < 0 || anew < moved)) return 'overtaken';
  if (moved < 0) return 'open';
  return days[moved]?.state === 'done' ? 'borne_out' : 'contradicted';
}

test('every fate is right, wrong or undecided', () => {
  const findings = FATES.map((fate) => `${fate} ${evaluateFate(fate)}`);
  expect(findings).toEqual([
    ...['confirmed right', 'borne_out right', 'put_off undecided', 'dismissed wrong', 'reversed wrong'],
    ...['taken_back undecided', 'contradicted wrong', 'silent undecided', 'overtaken undecided', 'open undecided'],
  ]);
});
