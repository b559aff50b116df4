import fs from 'node:fs';
import path from 'node:path';
import { namedFiles } from '../../src/evidence/files.ts';
import {
  type CitationCheck,
  type CitedMessage,
  type CitedSource,
  checkCitations,
} from '../../src/roundtable/citations.ts';

/** The small project that the texts about places speak of. */
export const PROJECT = path.join(import.meta.dirname, 'transcripts/places/files');

interface Marked {
  readonly message: number;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly planted: boolean;
  readonly about: CitationCheck['about'];
}
interface Transcript {
  readonly sources: readonly CitedSource[];
  readonly registered: readonly string[];
  readonly messages: readonly CitedMessage[];
  readonly marks: readonly Marked[];
}

/** A transcript with its marks: `{-…-}` is a made-up figure and `{+…+}` an honest one; `<-…->` and `<+…+>` are places. */
function read(file: string): Transcript {
  const parts = fs
    .readFileSync(file, 'utf8')
    .split(/^# (?=registered$|(?:briefing|evidence|says) )/m)
    .slice(1);
  const sources: CitedSource[] = [];
  const messages: CitedMessage[] = [];
  const marks: Marked[] = [];
  let registered: readonly string[] = [];
  for (const part of parts) {
    const [head = '', ...lines] = part.split('\n');
    const [kind, name = ''] = head.split(' ');
    const text = lines.join('\n');
    if (kind === 'registered') registered = lines.filter((line) => line !== '');
    else if (kind === 'briefing') sources.push({ file: name, text });
    else if (kind === 'evidence') sources.push({ file: null, text });
    else {
      const { plain, found } = unmarked(text);
      marks.push(...found.map((mark) => ({ ...mark, message: messages.length })));
      messages.push({ agent: name, text: plain });
    }
  }
  return { sources, registered, messages, marks };
}

const MARK = /(?:\{([+-])(.+?)[+-]\}|<([+-])(.+?)[+-]>)/gs;

function unmarked(text: string): { plain: string; found: Omit<Marked, 'message'>[] } {
  const found: Omit<Marked, 'message'>[] = [];
  let [plain, at] = ['', 0];
  for (const { 0: whole, 1: sign, 2: figure, 3: other, 4: place, index } of text.matchAll(MARK)) {
    const inner = figure ?? place ?? '';
    plain += text.slice(at, index);
    const about = figure === undefined ? 'place' : 'figure';
    const planted = (sign ?? other) === '-';
    found.push({ start: plain.length, end: plain.length + inner.length, text: inner, planted, about });
    plain += inner;
    at = index + whole.length;
  }
  return { plain: plain + text.slice(at), found };
}

/** How many made-up ones were caught, and how many honest ones flagged; and which. */
interface Score {
  readonly planted: number;
  readonly caught: number;
  readonly honest: number;
  readonly wronged: number;
  readonly missed: readonly string[];
  readonly wrong: readonly string[];
}

/** Checks the transcripts anew and counts, of the figures or of the places. What is flagged and not marked counts as wrong. */
export function score(files: readonly string[], about: CitationCheck['about']): Score {
  const scores = files.map((file) => {
    const { sources, registered, messages, marks } = read(file);
    const all = checkCitations(messages, sources, namedFiles(registered, PROJECT).files);
    const flags = all.filter(({ finding }) => finding === 'unsupported');
    const isOn = (mark: Marked, flag: CitationCheck) =>
      flag.message === mark.message && flag.at < mark.end && flag.at + flag.figure.length > mark.start;
    const planted = marks.filter((mark) => mark.planted && mark.about === about);
    const honest = marks.filter((mark) => !mark.planted && mark.about === about);
    const missed = planted.filter((mark) => !flags.some((flag) => isOn(mark, flag)));
    const made = marks.filter((mark) => mark.planted);
    const wrong = flags.filter((flag) => flag.about === about && !made.some((mark) => isOn(mark, flag)));
    return {
      planted: planted.length,
      caught: planted.length - missed.length,
      honest: honest.length,
      wronged: wrong.length,
      missed: missed.map(({ text }) => `missed in ${path.basename(file)}: ${text}`),
      wrong: wrong.map(
        (one) => `wronged in ${path.basename(file)}: ${one.figure} in “${one.sentence}” ${one.reason ?? ''}`,
      ),
    };
  });
  return scores.reduce((one, other) => ({
    planted: one.planted + other.planted,
    caught: one.caught + other.caught,
    honest: one.honest + other.honest,
    wronged: one.wronged + other.wronged,
    missed: [...one.missed, ...other.missed],
    wrong: [...one.wrong, ...other.wrong],
  }));
}
