import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadAttacks } from '../../docs/make/attacks.ts';

const PROJECT = path.resolve(import.meta.dirname, '..', '..');
const PAGE = fs.readFileSync(path.join(PROJECT, 'SECURITY.md'), 'utf8');
const NAMED = new Set(PAGE.matchAll(/`([\w/-]+)`/g).map(([, name = '']) => name));
/** Tests of parts that attacks go through, not of attackers. */
const PARTS = ['list', 'yaml-suite'];

test('attacks.yaml, and so SECURITY.md, has an attack of every suite', () => {
  const shown = new Set(Object.values(loadAttacks()).flatMap((attacks) => attacks.flatMap(({ tests }) => tests)));
  const suites = fs.readdirSync(import.meta.dirname).flatMap((file) => file.match(/^(.+)\.test\.ts$/)?.[1] ?? []);
  expect(suites.filter((suite) => !PARTS.includes(suite) && !shown.has(suite))).toEqual([]);
});

test('each test that SECURITY.md names is there', () => {
  const paths = [...NAMED].filter((name) => name.startsWith('test/'));
  const isThere = (name: string) =>
    ['', '.test.ts', '.laws.test.ts'].some((end) => fs.existsSync(path.join(PROJECT, name + end)));
  expect(paths.filter((name) => !isThere(name))).toEqual([]);
});
