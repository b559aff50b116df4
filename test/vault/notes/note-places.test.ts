import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Layout } from '../../../src/vault/layout.ts';
import { stem } from '../../../src/vault/note-names.ts';
import { NotePlaces, writtenPlaces } from '../../../src/vault/notes/note-places.ts';
import { nameTime, nameTimeExact, utc } from '../../../src/vault/time.ts';
import { TempVault } from '../../support/temp-vault.ts';

const HASH = '0123abcd';
const moments = fc.integer({ min: Date.UTC(1971, 0), max: Date.UTC(2970, 0) });
const slugs = fc.oneof(
  fc.constantFrom('pay', '2031-02-03T04-05-06Z-pay', 'signal-action-2031-02-03T04-05-06Z-pay', 'rent 2027-01', '§'),
  fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((name) => !/[/\\\0]/.test(name)),
);

function placesIn(vault: TempVault, taken: readonly string[] = []): NotePlaces {
  const named = (name: string) => taken.filter((path) => stem(path) === name);
  return new NotePlaces({ root: vault.root, layout: new Layout(), named });
}

describe('where a new note lies', () => {
  test('in the month of its own name, whatever its target is called', () => {
    const vault = new TempVault();
    fc.assert(
      fc.property(moments, slugs, fc.boolean(), (at, slug, isExact) => {
        const places = placesIn(vault);
        const time = isExact ? nameTimeExact(at) : nameTime(at);
        const month = utc(at).slice(0, 7);
        expect(places.placeOf('signal', `${time}-${HASH}`)).toBe(`signal/${month}/${time}-${HASH}.md`);
        const event = places.ofEvent('steward-action', `task/${slug}.md`, at);
        expect(event.startsWith(`event/${month}/steward-action-${month}-`)).toBe(true);
        expect(event.split('/')).toHaveLength(3);
      }),
    );
  });

  test('at the end of a month the name decides, not the clock on the wall', () => {
    const places = placesIn(new TempVault());
    expect(places.placeOf('signal', `2026-11-30T23-59-59Z-${HASH}`)).toBe(
      `signal/2026-11/2026-11-30T23-59-59Z-${HASH}.md`,
    );
    expect(places.placeOf('signal', `2026-12-01T00-00-00-000Z-${HASH}`)).toBe(
      `signal/2026-12/2026-12-01T00-00-00-000Z-${HASH}.md`,
    );
  });

  test.each(['mine', '2026-13-01T00-00-00Z-x', '2026-11-21-x', '../2026-11-21'])(
    'without a time in the name: %s',
    (name) => {
      expect(placesIn(new TempVault()).placeOf('signal', name)).toBe(`signal/${name}.md`);
      expect(writtenPlaces('signal', name)).toEqual([`signal/${name}.md`]);
    },
  );

  test('no two event notes share a name, in whichever folder the other one lies', () => {
    const vault = new TempVault();
    const at = Date.UTC(2026, 10, 21, 20, 19, 54);
    const taken = ['event/old/steward-action-2026-11-21T20-19-54Z-pay.md'];
    expect(placesIn(vault, taken).ofEvent('steward-action', 'task/pay.md', at)).toBe(
      'event/2026-11/steward-action-2026-11-21T20-19-54-000Z-pay.md',
    );
  });

  test('beside its month, where a file or a link is in the place of it', () => {
    const vault = new TempVault({ 'event/2026-11': 'no folder', 'elsewhere/x.md': '', 'signal/mine.md': '' });
    fs.symlinkSync(vault.at('elsewhere'), `${vault.root}/signal/2026-12`);
    const places = placesIn(vault);
    expect(places.ofEvent('steward-action', 'task/pay.md', Date.UTC(2026, 10, 21))).toMatch(/^event\/steward-action-/);
    expect(places.placeOf('signal', `2026-12-01T00-00-00Z-${HASH}`)).toBe(`signal/2026-12-01T00-00-00Z-${HASH}.md`);
  });
});
