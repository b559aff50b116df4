import { clean, count } from '../../print/plain-text.ts';
import type { FoundFolder } from './record-folders.ts';
import type { FoundWord } from './status-words.ts';
import type { Survey } from './survey.ts';

const MOST_WORDS = 12;

/** Returns what a survey found, a line each. */
export function foundLines(survey: Survey): string[] {
  const { tasks, matters, words, taskLines, remarks } = survey;
  const known = words.filter(({ state }) => state !== null);
  const unknown = words.filter(({ state, notes }) => state === null && notes > 0);
  return [
    ...(tasks === null ? [] : [folderLine(tasks, 'task')]),
    ...(matters === null ? [] : [folderLine(matters, 'matter'), ...besideLines(matters)]),
    ...(known.length === 0 ? [] : [`${count(known.length, 'status word')}: ${meanings(known)}`]),
    ...(unknown.length === 0
      ? []
      : [`${count(unknown.length, 'status word')} still unexplained: ${frequencies(unknown)}`]),
    ...(taskLines.lines === 0
      ? []
      : [
          `${count(taskLines.lines, 'task line')} in ${count(taskLines.notes, 'note')}: the steward looks after whole notes only`,
        ]),
    ...Object.values(survey.moved).map(
      (folder) => `${folder.split('/').at(-1)} is a folder of yours, so the steward uses ${folder}`,
    ),
    ...remarks,
  ].map(clean);
}

/** Returns what is looked after once the settings say so. */
export function adoptedLines(
  survey: Survey,
  adopted: { readonly tasks: boolean; readonly matters: boolean },
): string[] {
  const parts = [
    ...(survey.tasks !== null && adopted.tasks
      ? [`${count(survey.tasks.notes, 'task')} in ${survey.tasks.folder}`]
      : []),
    ...(survey.matters !== null && adopted.matters
      ? [`${count(survey.matters.notes, 'matter')} in ${survey.matters.folder}`]
      : []),
  ];
  if (parts.length === 0) return [];
  return [`It looks after ${parts.join(' and ')}, where they lie.`, ...tiedLines(survey, adopted.tasks)].map(clean);
}

function tiedLines({ tasks, tied }: Survey, isAdopted: boolean): string[] {
  if (tasks === null || !isAdopted) return [];
  const free = tasks.notes - tied;
  const theirs = `${count(tied, 'task')} ${tied === 1 ? 'names' : 'name'} a matter in \`projects\``;
  if (free === 0) return [`  ${theirs}.`];
  return [
    `  ${theirs}; ${free === 1 ? '1 names' : `${free} name`} none, and wait${free === 1 ? 's' : ''} until you give ${free === 1 ? 'it' : 'them'} one.`,
  ];
}

function folderLine({ folder, notes, by }: FoundFolder, noun: string): string {
  return `${count(notes, noun)} in ${folder}${by === 'TaskNotes' ? ' (TaskNotes)' : ''}`;
}

function besideLines({ beside }: FoundFolder): string[] {
  if (beside === 0) return [];
  return [
    `  ${beside === 1 ? '1 of these lies' : `${beside} of these lie`} beside others in a folder, and would be a matter of its own`,
  ];
}

function meanings(words: readonly FoundWord[]): string {
  const groups = [...Map.groupBy(words, ({ state }) => state ?? 'open')];
  return groups.map(([state, group]) => `${listed(group.map(({ word }) => word))} = ${state}`).join('; ');
}

function frequencies(words: readonly FoundWord[]): string {
  return listed(words.map(({ word, notes }) => `${word} (${notes})`));
}

function listed(words: readonly string[]): string {
  const rest = words.length - MOST_WORDS;
  return [...words.slice(0, MOST_WORDS), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}
