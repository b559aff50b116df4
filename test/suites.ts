import fs from 'node:fs';
import path from 'node:path';

/*
 * Which command runs which test file. Each file belongs to one suite: the first of these lists that names it, or else
 * `npm test`. `npm test` takes about five minutes on two cores, `npm run test:ci` under half an hour; `npm run test:night` has
 * no limit. The suite `laws` repeats the laws of `npm test`, for more examples. `times.json` has the seconds of each
 * file.
 */
const PROJECT = path.resolve(import.meta.dirname, '..');
const CI = [
  // Attacks, failing disks and networks, other programs.
  'away/**',
  'bad-input/**',
  'crash/**',
  'eval/**',
  'fleet/**',
  'hostile/**',
  'injection/**',
  'channels/channels.test.ts',
  'package/**',
  'servers/**',
  'service/**',
  'sources/real/**',
  'sync/**',
  'trust/**',
  'wedged/**',
  // Browsers, terminals, shells and processes that outlive something.
  'contract/style-sheet.test.ts',
  'docs/screens.test.ts',
  'cli/{api-key,client,client-session,daemon-log-output,loaded,screen,updated}.test.ts',
  'cli/commands/{completion,demo,demo-days,import,init,leave,mcp,mcp-lasting,rehearse,rehearse-model,run}.test.ts',
  // Scenarios that take longer than five seconds.
  'daemon/{turns,answers,keeper/zombie,plane/plane-kill}.test.ts',
  'daemon/{faults,roundtable,unfinished}/**',
  'features/{ledger-files,report,report-modes,rehearsal/sent}.test.ts',
  'daemon/{runtime/release-memory,schedule/schedules}.test.ts',
  'evidence/researcher.test.ts',
  'providers/questions.test.ts',
  'roundtable/{busy,session}.test.ts',
  'stories/json.test.ts',
  'streams/{mail-process,items,waiting-items,identities}.test.ts',
  'sources/{password-command,read-mails,relevance}.test.ts',
  'undo/order.test.ts',
];
const NIGHT = [
  'endurance/**',
  // Long runs, and limits of memory and time that a quiet machine shows best.
  'crash/plugin-races.test.ts',
  'daemon/kept-by-visits.test.ts',
  'hostile/{adaptive-attacker,bounded-work,imap-memory}.test.ts',
];
/** Files that replace modules or count system calls, so that they can't share a process with others. */
const APART = [
  'cli/commands/source-add',
  'steward/decide-unread-package',
  'reading/other-language',
  'vault/index-work',
];

/** Vitest's patterns: which files are run, and which of them are left out. */
interface Files {
  include: string[];
  exclude: string[];
}

/** Calls that run a property on many examples. */
const LAW = /\bfc\s*\.(?:assert|check)\(/;

/** Returns the files of a suite: those that share a process, and those that need one each. */
export function suiteFiles(suite: string | undefined): { readonly shared: Files; readonly apart: Files } {
  const [ci, night] = [CI.map(patternOf), NIGHT.map(patternOf)];
  const apart = APART.map((file) => `test/${file}.test.ts`);
  if (suite === 'ci') return { shared: { include: ci, exclude: night }, apart: { include: [], exclude: [] } };
  if (suite === 'night') return { shared: { include: night, exclude: [] }, apart: { include: [], exclude: [] } };
  if (suite === 'laws')
    return { shared: { include: lawFiles(), exclude: [...ci, ...night] }, apart: { include: [], exclude: [] } };
  const shared = { include: ['test/**/*.test.ts'], exclude: [...ci, ...night, ...apart] };
  return { shared, apart: { include: apart, exclude: [] } };
}

/** Files that hold a law. */
function lawFiles(): string[] {
  const files = fs.globSync('test/**/*.test.ts', { cwd: PROJECT });
  return files.filter((file) => LAW.test(fs.readFileSync(path.join(PROJECT, file), 'utf8')));
}

function patternOf(place: string): string {
  return place.endsWith('/**') ? `test/${place}/*.test.ts` : `test/${place}`;
}
