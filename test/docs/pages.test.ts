import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { securityPage } from '../../docs/make/attacks.ts';
import { commandsPage } from '../../docs/make/commands.ts';
import { fieldsPage, settingsPage } from '../../docs/make/reference.ts';
import { ENVIRONMENT_WORDS, GROUPS } from '../../docs/make/setting-words.ts';
import { describeCommand } from '../../src/cli/commands/completion.ts';
import { commandTable } from '../../src/cli/table.ts';
import { Printer } from '../../src/cli/terminal.ts';
import { KEYS, SETTING_KEYS } from '../../src/daemon/settings.ts';

const PROJECT = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => fs.readFileSync(path.join(PROJECT, file), 'utf8');

const silent = new Printer({ write: () => undefined }, {});
const table = commandTable({ out: silent, err: silent, env: {}, cwd: PROJECT }, () => undefined);

test.each([
  ['docs/settings.md', settingsPage],
  ['docs/fields.md', fieldsPage],
  ['SECURITY.md', () => securityPage()],
  ['docs/commands.md', () => commandsPage(describeCommand(table))],
])('%s says what the schemas say; `npm run docs` makes it anew', (file, page) => {
  expect(read(file)).toBe(page());
});

test('every setting stands on the settings page, in one place', () => {
  const listed = GROUPS.flatMap(({ keys }) => keys);
  expect(listed.toSorted()).toEqual(Object.keys(KEYS).toSorted());
  for (const schema of Object.values(KEYS))
    expect(schema.meta()).toMatchObject({ example: expect.any(String), help: expect.any(String) });
  const page = read('docs/settings.md');
  for (const key of SETTING_KEYS) expect(page).toContain(`| \`${key}\` |`);
});

/** What the program sets for others, or only takes a part of. */
const NOT_FOR_PEOPLE = [
  'STEWARD_NOTIFY_',
  'STEWARD_MESSAGE',
  'STEWARD_MESSAGE_TITLE',
  'STEWARD_MESSAGE_TEXT',
  'STEWARD_MESSAGE_LINK',
  'STEWARD_CURSOR',
  'STEWARD_PASSWORD_COMMAND',
  'STEWARD_SECRET',
  'STEWARD_SOURCE_',
  'STEWARD_SOURCE_INBOX_PASSWORD',
];

test('every variable of the environment that the program reads stands on the settings page', () => {
  const files = fs.readdirSync(path.join(PROJECT, 'src'), { recursive: true, encoding: 'utf8' });
  const texts = files.filter((file) => file.endsWith('.ts')).map((file) => read(`src/${file}`));
  const named = new Set(texts.flatMap((text) => text.match(/\bSTEWARD_[A-Z_]+/g) ?? []));
  const unsaid = [...named].filter((name) => !Object.hasOwn(ENVIRONMENT_WORDS, name) && !NOT_FOR_PEOPLE.includes(name));
  expect(unsaid).toEqual([]);
});

/** Pages that a person reads: those of the project's top, and those of docs/. */
const PAGES = [
  ...['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'GOALS.md', 'SECURITY.md', 'train/README.md'],
  ...fs
    .readdirSync(path.join(PROJECT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
    .map((file) => `docs/${file}`),
];

test.each(PAGES)('every link of %s leads somewhere', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:|obsidian:|#)([^)\s#]+)(?:#[^)]*)?\)/g)].map(
    ([, to = '']) => to,
  );
  const lost = links.filter((to) => !fs.existsSync(path.join(PROJECT, path.dirname(page), to)));
  expect(lost).toEqual([]);
});

test.each(PAGES)('every section that %s links exists', (page) => {
  const links = [...read(page).matchAll(/\]\((?!https?:|obsidian:)([^)\s#]*)#([^)\s]+)\)/g)];
  const lost = links.filter(([, to = '', section = '']) => {
    const target = to === '' ? page : path.join(path.dirname(page), to);
    return target.endsWith('.md') && !listSections(target).includes(section);
  });
  expect(lost.map(([link]) => link)).toEqual([]);
});

/** Returns the sections of a page, as GitHub names them in addresses. */
function listSections(page: string): string[] {
  return [...read(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every page of docs/ is reached from the README', () => {
  const seen = new Set<string>();
  const follow = (page: string): void => {
    if (seen.has(page) || !fs.existsSync(path.join(PROJECT, page))) return;
    seen.add(page);
    for (const [, to = ''] of read(page).matchAll(/\]\((?!https?:|#)([^)\s#]+\.md)(?:#[^)]*)?\)/g))
      follow(path.posix.join(path.posix.dirname(page), to));
  };
  follow('README.md');
  const reached = PAGES.filter((page) => /^docs\/(?:dev\/)?[^/]+\.md$/.test(page) && !seen.has(page));
  expect(reached).toEqual([]);
});

test('every page of docs/ links the glossary', () => {
  const pages = PAGES.filter((page) => /^docs\/(?:dev\/)?[^/]+\.md$/.test(page) && page !== 'docs/style.md');
  expect(pages.filter((page) => !read(page).includes('style.md#glossary'))).toEqual([]);
});

test('each page of the path links the next one', () => {
  const path = read('docs/README.md').split('## The path')[1]?.split('\n## ')[0] ?? '';
  const pages = [...path.matchAll(/^\d+\. .*?\]\(([^)#]+)/gm)].map(([, page = '']) => page);
  expect(pages.length).toBeGreaterThan(10);
  const [install, ...others] = pages;
  expect(read(`docs/${install}`)).toContain(`(docs/${others[0]})`);
  const unlinked = others.slice(0, -1).filter((page, at) => !read(`docs/${page}`).includes(`(${others[at + 1]}`));
  expect(unlinked).toEqual([]);
});

test('README has at most 450 words and at most 75 lines', () => {
  expect(
    read('README.md')
      .split(/\s+/)
      .filter((word) => word !== '').length,
  ).toBeLessThanOrEqual(450);
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(75);
});

describe('the contract', () => {
  const page = read('docs/contract.md');
  const rules = [...page.matchAll(/^(\d+\.\d+[a-z]?) (.*)$/gm)].map(([, number = '', text = '']) => ({ number, text }));
  const numbers = rules.map(({ number }) => number);

  test('has each number once, and one sentence for each', () => {
    expect(rules.length).toBeGreaterThan(250);
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
    expect(rules.filter(({ text }) => /[.!?] [A-Z]/.test(text))).toEqual([]);
  });

  test('has every rule that it refers to, and every rule and section that the program refers to', () => {
    const known = new Set([...numbers, ...[...page.matchAll(/^## (\d+)\./gm)].map(([, section = '']) => section)]);
    const inside = [...page.matchAll(/(?<!^)\b(?:[2-9]|1\d|20)\.\d+[a-c]?\b|(?<=section )\d+/gm)].map(
      ([number]) => number,
    );
    const files = fs.globSync('{src,test}/**/*.ts', { cwd: PROJECT });
    const cited = files.flatMap((file) =>
      [
        ...read(file).matchAll(/contract, (?:sections? )?((?:\d[\d.]*\d|\d)(?:(?:, | and )(?:\d[\d.]*\d|\d))*)/g),
      ].flatMap(([, list = '']) => list.split(/, | and /)),
    );
    expect(cited.length).toBeGreaterThan(100);
    expect([...inside, ...cited].filter((number) => !known.has(number))).toEqual([]);
  });
});

test.each([['docs/contract.md', 7500]])('%s has at most %i words', (pages, most) => {
  const words = fs.globSync(pages, { cwd: PROJECT }).flatMap((page) => read(page).split(/\s+/));
  expect(words.filter((word) => word !== '').length).toBeLessThanOrEqual(most);
});
