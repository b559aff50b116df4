import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linkKey, wikilink } from '../../../src/vault/links.ts';
import { choiceList, chosenIn, isChosenIn, tickedCandidates } from '../../../src/vault/notes.ts';

/** Names as files may have them, those that break a link among them. */
const fileName = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .filter((name) => !/[/\p{Cc}]/u.test(name));
const links = fc
  .uniqueArray(fileName, { minLength: 1, maxLength: 10, selector: (name) => linkKey(wikilink(`${name}.md`)) })
  .map((names) => names.map((name) => wikilink(`task/${name}.md`)));

function ticked(list: string, nth: number): string {
  return list
    .split('\n')
    .map((line, at) => (at === nth ? line.replace('[ ]', '[x]') : line))
    .join('\n');
}

describe('the list in which a note is chosen', () => {
  test('LAW: no tick is no choice, and one line stands for each note, whatever it is called', () => {
    fc.assert(
      fc.property(links, (candidates) => {
        const list = choiceList(candidates);
        expect(list.split('\n')).toHaveLength(candidates.length);
        expect(tickedCandidates(list, candidates)).toEqual([]);
      }),
    );
  });

  test('LAW: one tick chooses the note of its line or, where its name breaks a link, none; never another', () => {
    fc.assert(
      fc.property(links, fc.nat(9), (candidates, at) => {
        const nth = at % candidates.length;
        const chosen = tickedCandidates(ticked(choiceList(candidates), nth), candidates);
        const isLink = choiceList(candidates).split('\n')[nth] === `- [ ] ${candidates[nth]}`;
        expect(chosen).toEqual(isLink ? [candidates[nth]] : []);
      }),
    );
  });

  test.each([
    ['nothing', null, [], null, false],
    ['one tick', null, ['[[pay]]'], '[[pay]]', true],
    ['the written word', '[[pay]]', [], '[[pay]]', true],
    ['both, and they agree', '[[Pay|now]]', ['[[pay]]'], '[[pay]]', true],
    ['both, and they differ', '[[call]]', ['[[pay]]'], null, true],
    ['two ticks', null, ['[[pay]]', '[[call]]'], null, true],
  ])('%s', (_, choose, ticks, chosen, isChosen) => {
    expect(chosenIn({ choose, ticked: ticks })).toBe(chosen);
    expect(isChosenIn({ choose, ticked: ticks })).toBe(isChosen);
  });

  test('a long body of boxes costs no time', () => {
    const body = `${'- [x] [[other]] '.repeat(20_000)}\n${'- [x] [[a\n'.repeat(20_000)}- [x] ${'['.repeat(50_000)}`;
    const from = performance.now();
    expect(tickedCandidates(body, ['[[pay]]'])).toEqual([]);
    expect(performance.now() - from).toBeLessThan(2000);
  });
});
