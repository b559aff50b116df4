import { expect, test } from 'vitest';
import { linkKey, linkTarget, wikilink } from '../../src/vault/links.ts';

test.each([
  ['[[house]]', 'house'],
  ['  [[house]]  ', 'house'],
  ['![[house]]', 'house'],
  ['[[matter/house|our house]]', 'matter/house'],
  ['[[house#Costs]]', 'house'],
  ['[[house#^block|there]]', 'house'],
  ['[[matter/house.md]]', 'matter/house'],
  ['house', 'house'],
  ['matter/house.md', 'matter/house'],
  ['./matter/house.md', 'matter/house'],
  ['/matter/house.md', 'matter/house'],
  ['[our house](matter/our%20house.md)', 'matter/our house'],
  ['[our house](<matter/our house.md>)', 'matter/our house'],
  ['[x](100%.md)', '100%'],
  ['', ''],
  ['[[]]', ''],
])('%s leads to %s', (written, target) => {
  expect(linkTarget(written)).toBe(target);
});

test('keys meet across case and normal forms', () => {
  expect(linkKey('[[Cafe\u0301]]')).toBe(linkKey('caf\u00e9.md'));
});

test('a link is written as a wikilink with the bare name', () => {
  expect(wikilink('matter/2026/House.md')).toBe('[[House]]');
});
