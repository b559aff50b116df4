/** A place that a text names: a file, lines of one, or something with a name in one. */
export interface Place {
  /** As written, and its offsets. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly file: string;
  /** Counted from 1; null where no lines are named. */
  readonly lines: { readonly first: number; readonly last: number } | null;
  readonly named: NamedIn | null;
}

/** What is said to be in a file. */
export interface NamedIn {
  /** `any` where the text does not say what it is. */
  readonly kind: 'definition' | 'section' | 'column' | 'any';
  readonly name: string;
  /** What it is said to be part of, as a method of a class; null where nothing is. */
  readonly of: string | null;
}

/** The name of a file as it is written in a text, in a group of its own. */
export const FILE = String.raw`(?<![\w@./*-])((?:\.{0,2}/)?(?:[\w@.-]{1,60}/){0,12}[\w@.-]{0,100}[\w-]\.[A-Za-z]\w{0,9})(?![\w/*]|\.\w)`;
/** A range of lines, in two groups. */
export const RANGE = String.raw`(\d{1,7})(?:\s?(?:-|–|to|and)\s?L?(\d{1,7})(?![\d.,]*\d|\s?%))?`;
