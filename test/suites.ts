/*
 * Which command runs which test file. Each file belongs to one suite: the first of these lists that names it, or else
 * `npm test`. `npm test` takes under five minutes, `npm run test:ci` under twenty, `npm run test:night` as long as it likes.
 */
const FOLDERS = {
  ci: [
    'away',
    'bad-input',
    'crash',
    'hostile',
    'injection',
    'package',
    'servers',
    'service',
    'sync',
    'trust',
    'wedged',
  ],
  night: ['endurance', 'eval'],
} as const;

/** Files that replace modules for themselves, so that they can't share a process with others. */
const APART = [
  'test/cli/commands/source/adding.test.ts',
  'test/daemon/decide/unread-package.test.ts',
  'test/stream/languages/seventh.test.ts',
];

/** Vitest's patterns: which files are run, and which of them are left out. */
interface Files {
  include: string[];
  exclude: string[];
}

/** Returns the files of a suite: those that share a process, and those that need one each. */
export function suiteFiles(suite: string | undefined): { readonly shared: Files; readonly apart: Files } {
  const [ci, night] = [FOLDERS.ci.map(patternOf), FOLDERS.night.map(patternOf)];
  const none: Files = { include: [], exclude: [] };
  if (suite === 'ci') return { shared: { include: ci, exclude: [] }, apart: none };
  if (suite === 'night') return { shared: { include: night, exclude: [] }, apart: none };
  return {
    shared: { include: ['test/**/*.test.ts'], exclude: [...ci, ...night, ...APART] },
    apart: { include: APART, exclude: [] },
  };
}

const patternOf = (folder: string) => `test/${folder}/**/*.test.ts`;
