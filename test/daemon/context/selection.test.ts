import { expect, test } from 'vitest';
import { StateSelection } from '../../../src/daemon/state.ts';
import { atOnce } from '../../../src/vault/time.ts';

function selecting(count: number) {
  const entries: Record<string, number> = Object.fromEntries(
    Array.from({ length: count }, (_, nth) => [`n${nth}`, nth]),
  );
  let asked = 0;
  const selection = new StateSelection(entries, () => Object.keys(entries));
  const even = () =>
    atOnce(
      selection.ask('even', (value) => {
        asked += 1;
        return value % 2 === 0;
      }),
    );
  const put = (key: string, value: number | null) => {
    if (value === null) delete entries[key];
    else entries[key] = value;
    selection.follow(key);
  };
  return { entries, selection, even, put, asked: () => asked };
}

test('goes over all entries once, and from then on over what changes', () => {
  const { even, put, asked } = selecting(1000);
  expect(even().size).toBe(500);
  expect(asked()).toBe(1000);
  put('n1', 2);
  put('n2', 3);
  put('n4', null);
  put('new', 8);
  expect(even().has('n1')).toBe(true);
  expect(even().has('n2')).toBe(false);
  expect(even().has('n4')).toBe(false);
  expect(even().get('new')).toBe(8);
  expect(asked()).toBe(1003); // what is gone is not asked about
});

test('another question has all gone over again', () => {
  const { selection, even } = selecting(10);
  even();
  const large = atOnce(selection.ask('large', (value) => value > 7));
  expect([...large.keys()]).toEqual(['n8', 'n9']);
});

test('pauses after each entry, and knows what changes meanwhile', () => {
  const { selection, put } = selecting(10);
  const asking = selection.ask('large', (value) => value > 7);
  for (let nth = 0; nth < 5; nth += 1) expect(asking.next().done).toBe(false);
  put('n0', 100); // gone over already
  put('n9', 0); // still to come
  expect([...atOnce(asking).keys()].sort()).toEqual(['n0', 'n8']);
});

test('who breaks off has all gone over once more', () => {
  const { selection } = selecting(10);
  selection.ask('large', (value) => value > 7).next();
  expect([...atOnce(selection.ask('large', (value) => value > 7)).keys()]).toEqual(['n8', 'n9']);
});
