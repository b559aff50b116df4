/** What is more than text to the programs that read a vault: Obsidian, its plugins, or another reader of Markdown. */
const LIVE: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['an embed', /!\[/],
  ['a wikilink', /\[\[/],
  ['a link', /\]\(|\]\[/],
  ['a definition', /^\s*\[[^\]]+\]:/m],
  ['an address', /[a-z][a-z0-9+.-]*:\/\/|\bwww\.|mailto:|\w@\w/i],
  ['HTML', /<[a-z!/?]/i],
  ['an entity', /&#|&\w+;/],
  ['code', /`|~~~/],
  ['a tag', /(?<![\w/&])#[\p{L}\p{N}_/-]/u],
  ['a heading', /^\s*#+\s/m],
  ['a box or a callout', /\[[ x!]\]?/],
  ['a formula', /\$/],
  ['a comment', /%%/],
  ['an inline field', /::/],
  ['a block id', /\^[a-z0-9-]+\s*$/im],
  ['a rule', /^\s*(?:---|===|\*\*\*|___)\s*$/m],
  ['a character that cannot be seen', /[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|[\p{Cc}--\n]/v],
];
/** What programs look for in the bytes of a note, whatever they mean in Markdown. */
const RAW: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a template', /<%|%>/],
  ['an inline field', /::/],
  ['a comment', /%%/],
];

const IN_FIELDS = [
  ...LIVE.filter(([what]) => ['an embed', 'a wikilink', 'a link', 'HTML', 'code'].includes(what)),
  ...RAW,
  ['an address', /[a-z]:\/\//i],
  [
    'a character that hides',
    /[[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]--[\n\t]]/v,
  ],
] as const;

/** Returns what is live in the body of one of the program's own notes, apart from the links that it writes itself. */
export function liveParts(body: string, own: readonly string[]): string[] {
  const left = own.reduce((text, one) => text.replaceAll(one, ''), body);
  // A backslash makes a mark plain text.
  const read = left.replace(/\\[!-/:-@[-`{-~]/g, '·');
  return [...partsOf(LIVE, read), ...partsOf(RAW, left)];
}

/** Returns what is live in a value that a decision wrote. A field has no tags, formulas or headings. */
export function liveValue(value: string): string[] {
  return partsOf(IN_FIELDS, value);
}

function partsOf(kinds: typeof LIVE, text: string): string[] {
  return kinds.flatMap(([what, pattern]) => {
    const found = pattern.exec(text);
    return found === null
      ? []
      : [`${what}: ${JSON.stringify(text.slice(Math.max(0, found.index - 20), found.index + 30))}`];
  });
}
