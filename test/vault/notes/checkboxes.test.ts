import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkboxesIn, lastTicked } from '../../../src/vault/notes.ts';

describe('the checkboxes of a body', () => {
  test.each([
    ['- [ ] one', { open: 1, ticked: 0 }],
    ['- [x] one\n* [X] two\n+ [-] three\n1. [ ] four\n2) [x] five', { open: 1, ticked: 4 }],
    ['  - [ ] nested\n\t- [x] more', { open: 1, ticked: 1 }],
    ['> [!todo]\n> - [ ] in a callout', { open: 1, ticked: 0 }],
    ['- [/] begun\n- [>] put off\n- [?] asked', { open: 3, ticked: 0 }],
    ['- [x]', { open: 0, ticked: 1 }],
    ['- [ ] one\r\n- [x] two\r\n', { open: 1, ticked: 1 }],
    ['```\n- [ ] code\n```\n- [x] text', { open: 0, ticked: 1 }],
    ['~~~~\n- [ ] code\n~~~\n- [ ] code still\n~~~~', null],
    ['- [](link)\n- [x](link)\n- [xx] two\n-[ ] no space\n[ ] no list\n- plain', null],
    ['', null],
  ])('%j', (body, boxes) => {
    expect(checkboxesIn(body)).toEqual(boxes);
  });

  test('the last ticked one is named as it stands', () => {
    expect(lastTicked('- [x] one\n  - [x] **two**  \n- [ ] three')).toBe('- [x] **two**');
    expect(lastTicked('- [ ] three')).toBe(null);
  });

  test('LAW: every box is open or ticked, and ticking one changes nothing else', () => {
    const lines = fc.array(fc.constantFrom('- [ ] a', '- [x] b', 'text', '> 3. [ ] c', '', '* [-] d'));
    fc.assert(
      fc.property(lines, (all) => {
        const before = checkboxesIn(all.join('\n'));
        const boxes = all.filter((line) => line.includes('['));
        expect((before?.open ?? 0) + (before?.ticked ?? 0)).toBe(boxes.length);
        const after = checkboxesIn(all.join('\n').replace('[ ]', '[x]'));
        if (before !== null && before.open > 0)
          expect(after).toEqual({ open: before.open - 1, ticked: before.ticked + 1 });
      }),
    );
  });

  test('a body of a mebibyte is read in no time, whatever stands in it', () => {
    for (const piece of ['- [', '> '.repeat(10), '- [ ] \n', '`'.repeat(3), '\t', '1'.repeat(50)]) {
      const body = piece.repeat(Math.floor(2 ** 20 / piece.length));
      const since = performance.now();
      checkboxesIn(body);
      expect(performance.now() - since).toBeLessThan(2_000);
    }
  });
});
