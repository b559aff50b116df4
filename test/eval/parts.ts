import fs from 'node:fs';
import path from 'node:path';
import { type CaseSet, loadCases } from './case.ts';

/** The parts that the cases are kept apart in; docs/dev/evaluation.md says what each is for. */
export const PARTS = ['first tuned', 'first held out', 'tune', 'test', 'train'] as const;

/** The name of one of them. */
export type PartName = (typeof PARTS)[number];

/** The cases of a part. Each set is one person's vault with the mails to it. */
export interface Part {
  readonly part: PartName;
  /** Nobody corrects the reader by its cases, so its misses are not shown. */
  readonly isBlind: boolean;
  readonly sets: readonly CaseSet[];
}

const CASES = path.join(import.meta.dirname, 'cases');

/** Returns the parts of those names. */
export function partsNamed(names: readonly PartName[]): readonly Part[] {
  return names.map(partNamed);
}

function partNamed(part: PartName): Part {
  switch (part) {
    case 'first tuned':
      return { part, isBlind: false, sets: [firstWhere(false)] };
    case 'first held out':
      return { part, isBlind: true, sets: [firstWhere(true)] };
    case 'tune':
    case 'test':
      return { part, isBlind: true, sets: [loadCases(path.join(CASES, part))] };
    case 'train':
      return { part, isBlind: false, sets: trainFolders().map((folder) => loadCases(folder)) };
  }
}

/** Both halves are mails to one vault. */
function firstWhere(heldOut: boolean): CaseSet {
  const { vault, mails, decisions } = loadCases(path.join(CASES, 'first'));
  const isIn = ({ held_out: isHeldOut }: { readonly held_out: boolean }) => isHeldOut === heldOut;
  return { vault, mails: mails.filter(isIn), decisions: decisions.filter(isIn) };
}

function trainFolders(): readonly string[] {
  const folder = path.join(CASES, 'train');
  return fs
    .readdirSync(folder)
    .toSorted()
    .map((name) => path.join(folder, name));
}
