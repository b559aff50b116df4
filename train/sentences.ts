import { EFFECTS, type Effect, TOPICS, type Topic } from '../src/reading/learnt.ts';
import { linesOf, oneOf, tablesIn } from './data-file.ts';

/** One sentence of the training data, with what it says. */
export interface Sentence {
  readonly language: string;
  /** The sentences of one group are wordings of the same; they are never learnt from and asked about in the same run. */
  readonly group: string;
  readonly effect: Effect;
  /** Null where it is about nothing in particular. */
  readonly topic: Topic | null;
  readonly text: string;
}

/** The name of a task, with the deed that it asks for. */
export interface TaskName {
  readonly language: string;
  readonly topic: Topic;
  readonly text: string;
}

/** Reads the sentences of every language. Throws an Error with file and line where a line is not as the README says. */
export function loadSentences(folder: string): readonly Sentence[] {
  return tablesIn(folder, /^([a-z]{2})\.tsv$/).flatMap(({ language, file }) => {
    let group = 0;
    return linesOf(file).flatMap(({ line, where }) => {
      if (line.trim() === '') group += 1;
      if (line.trim() === '' || line.startsWith('#')) return [];
      const [effect, topic, text, more] = line.split('\t');
      if (text === undefined || more !== undefined) throw new Error(`${where}: a line has three parts`);
      const known = {
        effect: oneOf(EFFECTS, effect, where),
        topic: topic === '-' ? null : oneOf(TOPICS, topic, where),
      };
      return [{ language, group: `${language} ${group}`, ...known, text }];
    });
  });
}

/** Reads the names of tasks of every language. Throws an Error with file and line where a line is not as the README says. */
export function loadTaskNames(folder: string): readonly TaskName[] {
  return tablesIn(folder, /^tasks-([a-z]{2})\.tsv$/).flatMap(({ language, file }) =>
    linesOf(file).flatMap(({ line, where }) => {
      if (line.trim() === '' || line.startsWith('#')) return [];
      const [topic, text, more] = line.split('\t');
      if (text === undefined || more !== undefined) throw new Error(`${where}: a line has two parts`);
      return [{ language, topic: oneOf(TOPICS, topic, where), text }];
    }),
  );
}
