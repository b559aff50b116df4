/** `<v Anna Weber>`, `<v.loud Anna>`. */
const VOICE = /<v(?:\.[^\s<>]{1,60})?[ \t]([^<>\n]{1,120})>/g;
const TAGS = /<\/?[a-z0-9][^<>\n]{0,200}>|\{\\[^{}\n]{1,100}\}/gi;
const ENTITY = /&(?:amp|lt|gt|nbsp|lrm|rlm|quot|#39);/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': ' ',
  '&quot;': '"',
  '&#39;': "'",
};

/** What one voice says in a cue. */
interface Voice {
  /** Null where the cue names nobody. */
  readonly name: string | null;
  readonly text: string;
}

/** Returns what the voices of a cue say, without marks. */
export function voicesIn(lines: readonly string[]): readonly Voice[] {
  const text = lines.join('\n');
  const marks = [...text.matchAll(VOICE)];
  const first = { name: null, text: plain(text.slice(0, marks[0]?.index)) };
  const voices = marks.map((mark, nth) => ({
    name: plain(mark[1] ?? ''),
    text: plain(text.slice(mark.index + mark[0].length, marks[nth + 1]?.index)),
  }));
  return [first, ...voices].filter((voice) => voice.text !== '');
}

function plain(text: string): string {
  return text
    .replace(TAGS, '')
    .replace(ENTITY, (entity) => ENTITIES[entity] ?? '')
    .trim();
}
