/** What would be more than text if a vault's programs read it: in Obsidian, in its plugins, or in another reader of Markdown. */
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
/** What programs look for in the bytes of a note, whatever Markdown says of them. */
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

/** What in the body of a note of the program's own is live, the links that it writes itself aside. */
export function liveParts(body: string, own: readonly string[]): string[] {
  const left = own.reduce((text, one) => text.replaceAll(one, ''), body);
  // A backslash takes a mark's meaning away.
  const read = left.replace(/\\[!-/:-@[-`{-~]/g, '·');
  return [...partsOf(LIVE, read), ...partsOf(RAW, left)];
}

/** What in a value that a decision wrote is live: in a field nothing is a tag, a formula or a heading. */
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
