import type { JsonNode } from '../../evidence/formats/json.ts';

/** Members to put into a JSON object: by key, a text, a list of texts or one more level of them. */
interface NewMembers {
  readonly [key: string]: NewValue;
}
type NewValue = string | readonly string[] | NewMembers;

/** How the members of one object are laid out. */
interface Style {
  /** Between the opening brace or a comma and the key. */
  readonly lead: string;
  /** From the end of the key to its value. */
  readonly colon: string;
  /** Between the last value and the closing brace. */
  readonly tail: string;
}

/**
 * Returns the JSON text with the members it lacks, each behind the last one of its object and laid out as that is.
 * Nothing else changes, and no member that is there. Returns null where a place for members is no object.
 */
export function withMembers(text: string, root: JsonNode, members: NewMembers): string | null {
  const insertions = insertionsInto(text, root, members, rootStyle(text, root));
  if (insertions === null) return null;
  return insertions.reduceRight((made, { at, put }) => made.slice(0, at) + put + made.slice(at), text);
}

/**
 * Returns the JSON text with one more text in the list that a member of its object holds, laid out as the others are; with
 * the member, where that is missing. Returns null where it holds no list.
 */
export function withItem(text: string, root: JsonNode, key: string, item: string): string | null {
  const list = root.members?.findLast((member) => member.key === key)?.value;
  if (list === undefined) return withMembers(text, root, { [key]: [item] });
  if (list.items === undefined) return null;
  const last = list.items.at(-1);
  const lead = text.slice(list.items.at(-2)?.to ?? list.from + 1, last?.from ?? list.from + 1).replace(',', '');
  const at = last?.to ?? list.from + 1;
  const put = `${last === undefined ? '' : ','}${lastLine(lead)}${JSON.stringify(item)}`;
  return text.slice(0, at) + put + text.slice(at);
}

interface Insertion {
  readonly at: number;
  readonly put: string;
}

function insertionsInto(text: string, object: JsonNode, members: NewMembers, style: Style): Insertion[] | null {
  if (object.members === undefined) return null;
  const there = new Map(object.members.map(({ key, value }) => [key, value])); // of two alike the last one counts
  const deeper: Insertion[] = [];
  const missing: [string, NewValue][] = [];
  for (const [key, value] of Object.entries(members)) {
    const found = there.get(key);
    if (found === undefined) missing.push([key, value]);
    else if (typeof value !== 'string' && !isTexts(value)) {
      const inside = insertionsInto(text, found, value, styleOf(text, found, nested(style)));
      if (inside === null) return null;
      deeper.push(...inside);
    }
  }
  if (missing.length > 0) deeper.push(insertion(text, object, missing, style));
  return deeper.sort((one, other) => one.at - other.at);
}

function insertion(
  text: string,
  object: JsonNode,
  missing: readonly (readonly [string, NewValue])[],
  style: Style,
): Insertion {
  const put = missing.map(([key, value]) => written(key, value, style)).join(',');
  const last = object.members?.at(-1);
  if (last !== undefined) return { at: last.value.to, put: `,${put}` };
  const isOpen = /[\r\n]/.test(text.slice(object.from, object.to));
  return { at: object.from + 1, put: isOpen ? put : put + style.tail };
}

function written(key: string, value: NewValue, style: Style): string {
  return style.lead + JSON.stringify(key) + style.colon + valueText(value, nested(style));
}

function valueText(value: NewValue, style: Style): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isTexts(value)) return `[${value.map((one) => style.lead + JSON.stringify(one)).join(',')}${style.tail}]`;
  const entries = Object.entries(value).map(([key, one]) => written(key, one, style));
  return `{${entries.join(',')}${style.tail}}`;
}

function isTexts(value: Exclude<NewValue, string>): value is readonly string[] {
  return Array.isArray(value);
}

/** The style of an object: that of its members, where it has any. */
function styleOf(text: string, object: JsonNode, otherwise: Style): Style {
  const members = object.members ?? [];
  const leads = members.map(({ from }, nth) => text.slice(members[nth - 1]?.value.to ?? object.from + 1, from));
  const last = members.at(-1);
  if (last === undefined) return otherwise;
  const lead = leads.findLast((one) => one.includes('\n')) ?? leads.at(-1) ?? '';
  return { lead: lastLine(lead.replace(',', '')), colon: colonOf(text, last.from, last.value), tail: otherwise.tail };
}

// A blank line before a member is not repeated before each new one; the space before a comma neither.
function lastLine(lead: string): string {
  return /\r?\n[^\n]*$/.exec(lead)?.[0] ?? lead;
}

// What stands between a key's closing quote and its value.
function colonOf(text: string, from: number, value: JsonNode): string {
  const member = text.slice(from, value.from);
  return member.slice(member.lastIndexOf('"') + 1);
}

/** An empty text is laid out as Obsidian does, with the line ends it has. */
function rootStyle(text: string, root: JsonNode): Style {
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  return styleOf(text, root, { lead: `${eol}  `, colon: ': ', tail: eol });
}

/** The style one level deeper: the same indentation once more. */
function nested(style: Style): Style {
  const [, eol, indent] = /^(\r?\n)(\s*)$/.exec(style.lead) ?? [];
  if (eol === undefined || indent === undefined) return { ...style, tail: '' };
  const step = /^\s*/.exec(style.tail.replace(/^\r?\n/, ''))?.[0] ?? '';
  const unit = indent.slice(step.length) || '  ';
  return { lead: `${eol}${indent}${unit}`, colon: style.colon, tail: `${eol}${indent}` };
}
