import { parser } from '@lezer/javascript';

const typescript = parser.configure({ dialect: 'ts' });

/** One piece of text in a TypeScript file. */
export interface SourceText {
  readonly line: number;
  readonly kind: 'comment' | 'string';
  /** A template has `x` in place of each value. */
  readonly text: string;
}

/** Returns the comments of a file, and its strings and templates of a sentence's length. Code words stay as they are. */
export function readSourceTexts(code: string): readonly SourceText[] {
  const found: SourceText[] = [];
  let lines = { until: -1, text: '' };
  const lineAt = (at: number) => code.slice(0, at).split('\n').length;
  typescript.parse(code).iterate({
    enter: ({ name, from, to, node }) => {
      if (name === 'BlockComment') {
        found.push({ line: lineAt(from), kind: 'comment', text: stripMarks(code.slice(from, to)) });
      }
      if (name === 'LineComment') {
        // Lines that follow each other are one comment.
        const isNext =
          lines.until >= 0 && /^\s*$/.test(code.slice(lines.until, from)) && !isApart(code, lines.until, from);
        const text = code.slice(from + 2, to).trim();
        lines = { until: to, text: isNext ? `${lines.text}\n${text}` : text };
        if (isNext) found.pop();
        found.push({ line: lineAt(from), kind: 'comment', text: lines.text });
      }
      const isPath = node.parent?.name === 'ImportDeclaration' || node.parent?.name === 'ExportDeclaration';
      const text = name === 'String' && !isPath ? code.slice(from + 1, to - 1) : null;
      const shown = name === 'TemplateString' ? fillTemplate(code, node) : text;
      if (shown !== null && isProse(shown)) found.push({ line: lineAt(from), kind: 'string', text: shown });
    },
  });
  return found;
}

const MIN_WORDS = 4;
/** A list of words for the program: long, without a sentence in it. */
const WORD_LIST = /^[^,;:!?"()]{90,}$/;
/** A regular expression as a string, or a script for another program. */
const CODE = /\(\?:|\\\\[Sbdw]|\(\.\+\)|^#compdef|\bcomplete -o\b/;

function isProse(text: string): boolean {
  if (text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length < MIN_WORDS || CODE.test(text)) return false;
  return (
    !(WORD_LIST.test(text) && !/[.:] |\.$/.test(text) && [text.toLowerCase(), text.toUpperCase()].includes(text)) &&
    !isNameList(text)
  );
}

/** Returns whether a text is names with commas, of fonts or fields, without a word that joins them. */
function isNameList(text: string): boolean {
  return text.length > 90 && !/\b(?:the|is|are|it|not|you|with|that)\b/.test(text) && text === text.toLowerCase();
}

function isApart(code: string, from: number, to: number): boolean {
  return code.slice(from, to).split('\n').length !== 2;
}

function stripMarks(comment: string): string {
  return comment
    .replace(/^\/\*+|\*+\/$/g, '')
    .replace(/^\s*\* ?/gm, '')
    .trim();
}

function fillTemplate(
  code: string,
  node: {
    readonly from: number;
    readonly to: number;
    getChildren(name: string): readonly { from: number; to: number }[];
  },
): string {
  const values = node.getChildren('Interpolation');
  const ends = [node.from + 1, ...values.map(({ to }) => to)];
  const starts = [...values.map(({ from }) => from), node.to - 1];
  return ends.map((end, at) => code.slice(end, starts[at])).join('x');
}
