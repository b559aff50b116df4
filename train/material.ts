import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { languageTables } from '../src/reading/text.ts';
import { type CaseSet, loadCases, type MailCase } from '../test/eval/case.ts';
import { loadSentences, loadTaskNames, type Sentence, type TaskName } from './sentences.ts';
import { loadLines, surrounded } from './surroundings.ts';

/** Everything that is learnt from. */
export interface Material {
  readonly sentences: readonly Sentence[];
  readonly taskNames: readonly TaskName[];
  /** Whole mails with the vaults that they are for. None is held out. */
  readonly cases: readonly { readonly set: CaseSet; readonly mails: readonly MailCase[]; readonly person: string }[];
}

const PROJECT = path.join(import.meta.dirname, '..');
const DATA = path.join(import.meta.dirname, 'data');
const ALL_CASES = path.join(PROJECT, 'test/eval/cases');
const CASES = [path.join(ALL_CASES, 'first'), ...foldersIn(path.join(ALL_CASES, 'train'))];
/** What the reader is made by: with other code, the same data give another reader. */
const CODE = ['train', ...['learnt', 'text'].map((name) => `src/reading/${name}.ts`)];

/** Reads everything that is learnt from. Throws an Error where something is not as the README says. */
export function loadMaterial(): Material {
  const lines = loadLines(DATA);
  const cases = CASES.map((folder) => ({ set: loadCases(folder), person: path.basename(folder) }));
  return {
    sentences: loadSentences(DATA),
    taskNames: loadTaskNames(DATA),
    cases: cases.map(({ set, person }) => ({
      ...{ set, person },
      mails: set.mails.filter(({ held_out: heldOut }) => !heldOut).map((mail) => surrounded(mail, lines)),
    })),
  };
}

/** Returns the SHA-256 of all data and code that the reader is made from. */
export function materialHash(): string {
  const hash = createHash('sha256');
  for (const file of [
    ...filesIn(DATA),
    ...CASES.flatMap(filesIn),
    ...CODE.flatMap((each) => filesIn(path.join(PROJECT, each))),
  ]) {
    if (!/\.(?:ts|tsv|yaml)$/.test(file)) continue;
    hash.update(`${path.relative(PROJECT, file)}\0`);
    hash.update(fs.readFileSync(file));
  }
  for (const { code, things } of languageTables()) hash.update(`things ${code}\0${JSON.stringify(things)}`);
  return hash.digest('hex');
}

/** Each folder is the vault of one person. */
function foldersIn(folder: string): readonly string[] {
  return fs
    .readdirSync(folder)
    .toSorted()
    .map((name) => path.join(folder, name));
}

function filesIn(folder: string): readonly string[] {
  if (fs.statSync(folder).isFile()) return [folder];
  const entries = fs
    .readdirSync(folder, { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? filesIn(file) : [file];
  });
}
