import type { StreamEvent } from '../steward/types.ts';
import { lazily } from '../vault/data.ts';
import { isAligned } from '../vault/source-names.ts';
import { patternOfAll } from './text.ts';

/** A mail's body in two parts. */
export interface OwnWords {
  readonly text: string;
  /** The parts that the mail only carries along: quoted history, signatures and forwarded mails. */
  readonly quoted: string;
}

/** The facts that a mail's headers give about the mails before it. */
export interface MailThread {
  readonly subject: string;
  /** Whether it answers or passes on another mail, as its headers or its subject say. */
  readonly isReply: boolean;
  /** The sender's bare address in lower case. */
  readonly from: string | null;
  /** The sender's display name. */
  readonly fromName: string | null;
  /** The bare addresses of the others in lower case, and their display names. */
  readonly others: readonly string[];
}

const UNKNOWN_THREAD: MailThread = { subject: '', isReply: false, from: null, fromName: null, others: [] };

const MAX_OWN = 32_000;

/**
 * Separates the author's own words from the rest of a body. Every line ends up in one of the two parts. After 32 000
 * characters of the author's, which is more than is read of a text, the rest counts as carried along.
 *
 * The form decides whose words they are, since every mail program writes the head of a quoted mail in a language of its
 * own:
 *
 * - labelled lines (`Fra: Sam <sam@home.example>`) with a person and a time, or that a rule of dashes announces;
 * - a line that ends in a colon and has an address, or a time with a name (`Den 27. nov. 2026 10:00 skrev Sam:`);
 * - `>` or `|` at the start of a line;
 * - a letter within the mail: indented lines that begin like a letter or with the head of a mail.
 *
 * Labelled lines are also a way to state facts (`When: … Organiser: anna@club.example`). A mail that starts its thread
 * has the head of another mail only in three cases. The head begins with its sender, follows a rule, or repeats the
 * subject next to the names of the sender and of somebody else.
 */
export function separateOwnWords(body: string, thread: MailThread = UNKNOWN_THREAD): OwnWords {
  const lines = body.split('\n');
  const people = peopleOf(thread);
  const own: string[] = [];
  const quoted: string[] = [];
  let [at, length] = [0, 0];
  while (at < lines.length) {
    const carried = length > MAX_OWN ? lines.length - at : countCarried(lines, at, people);
    if (carried === 0) length += (lines[at] ?? '').length + 1;
    const next = at + Math.max(1, carried);
    for (const line of lines.slice(at, next)) (carried > 0 ? quoted : own).push(line);
    at = next;
  }
  return { text: joinLines(own), quoted: joinLines(quoted) };
}

/** Returns whether the mark before a subject (`Re:`, `AW:`) says that it repeats another mail's. */
export function hasReplyMark(subject: string): boolean {
  return marks().reply.test(subject);
}

/** Returns whether a subject with any mark before it (`Továbbítás: Roof`) repeats one that the mail carries (`Tárgy: Roof`). */
export function repeatsCarriedSubject(subject: string, quoted: string): boolean {
  const topic = fold(withoutMarks(subject));
  if (topic.length < SHORTEST_TOPIC || !MARK.test(subject)) return false;
  return quoted
    .split('\n')
    .some((line) => line.length <= MAX_LINE && fold(line.replace(/^[^:：]{0,48}[:：]/u, '')) === topic);
}

/**
 * Returns the subject if the author wrote it, else ''. A mail that continues a thread repeats the subject of its first mail;
 * what is said in a chat has none but its room and its first words.
 */
export function ownSubject({
  subject,
  spoken,
  continuesThread,
}: Pick<StreamEvent, 'subject' | 'spoken' | 'continuesThread'>): string {
  return spoken !== undefined || continuesThread === true || hasReplyMark(subject) ? '' : subject;
}

function joinLines(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** The few words that no form replaces. */
const marks = lazily(() => {
  const any = (part: 'forwardMarks' | 'youWrote' | 'sentFrom' | 'replyMarks') =>
    patternOfAll(({ quoting }) => quoting[part]);
  const forward = any('forwardMarks');
  return {
    forwardRule: new RegExp(`^\\s*(?:-{2,}|_{2,})\\s*(?:${forward})\\s*(?:-{2,}|_{2,})?\\s*$`, 'iu'),
    forwardLine: new RegExp(`^\\s*(?:${forward})\\s*:\\s*$`, 'iu'),
    youWrote: new RegExp(`^\\s*(?:${any('youWrote')})\\s?:\\s*$`, 'iu'),
    sentFrom: new RegExp(`^\\s*(?:${any('sentFrom')})\\.?\\s*$`, 'iu'),
    reply: new RegExp(`^\\s*(?:${any('replyMarks')})\\s*(?:[\\[(]?\\d+[\\])]?)?\\s*[:：]`, 'iu'),
  };
});

const SIGNATURE = /^--\s?$/;
/** `SP>` is how old programs quote Sam Porter; a row of a table has more than one bar. */
const QUOTED_LINE = /^\s{0,3}(?:\p{Lu}{1,3}?[>＞]|[>＞]|\|(?![^|\n]*\|))/u;
/** Lines longer than this are text. */
const MAX_LINE = 600;

/** Returns how many lines from here on are not the author's own: 0 if this one is. */
function countCarried(lines: readonly string[], at: number, people: People): number {
  const line = lines[at] ?? '';
  if (QUOTED_LINE.test(line)) return 1;
  if (line.length > MAX_LINE || line.trim() === '') return 0;
  if (marks().sentFrom.test(line)) return 1;
  const rest = lines.length - at;
  if (SIGNATURE.test(line) || marks().forwardRule.test(line) || marks().forwardLine.test(line)) return rest;
  if (isHeadBelowRule(lines, at, people) || isMailHead(lines, at, null, people)) return rest;
  const indented = countIndentedLetter(lines, at, people);
  if (indented > 0) return indented;
  const attribution = countAttribution(lines, at, people);
  if (attribution === 0) return 0;
  // Below an attribution comes either a `>` quotation, which has its own end, or history up to the end of the mail.
  return isQuotationNext(lines, at + attribution) ? attribution : rest;
}

function isQuotationNext(lines: readonly string[], at: number): boolean {
  const next = lines.slice(at, at + 4).find((line) => line.trim() !== '');
  return next !== undefined && QUOTED_LINE.test(next);
}

/** A tab has become a blank by now. */
const INDENT = /^ +/;
/** This many lines show whether a letter begins here. */
const MAX_BEGINNING = 40;
/** "Hello Rita," or "Dear Mr Porter:" on a line by itself. */
const SALUTATION = /^[\p{Lu}\p{Lo}][^\p{N}.?]{1,60}[,!:，、！：]$/u;
const MAX_WORDS_OF_SALUTATION = 6;
const ENDS_SENTENCE = /[.!?…。！？]\s*$/u;

/**
 * Returns how many lines an indented letter has, up to the next line that isn't indented; 0 if none begins here. A list or an
 * address that the sender indents doesn't begin like a letter, and a mail that is indented as a whole has no line above it that isn't.
 */
function countIndentedLetter(lines: readonly string[], at: number, people: People): number {
  if (!INDENT.test(lines[at] ?? '') || (lines[at - 1] ?? '-').trim() !== '') return 0;
  const above = lines.slice(Math.max(0, at - MAX_GAP), at).findLast((line) => line.trim() !== '') ?? ' ';
  if (INDENT.test(above)) return 0;
  const isOver = (line: string) => line.trim() !== '' && !INDENT.test(line);
  const window = lines.slice(at, at + MAX_BEGINNING);
  const end = window.findIndex(isOver);
  const beginning = (end === -1 ? window : window.slice(0, end)).map((line) => line.replace(INDENT, ''));
  const isLetter = isSalutation(beginning[0] ?? '') && beginning.slice(1).some((line) => ENDS_SENTENCE.test(line));
  if (!isLetter && !isMailHead(beginning, 0, null, people)) return 0;
  let next = at + beginning.length;
  while (next < lines.length && !isOver(lines[next] ?? '')) next += 1;
  return next - at;
}

function isSalutation(line: string): boolean {
  return SALUTATION.test(line.trim()) && line.trim().split(/\s+/).length <= MAX_WORDS_OF_SALUTATION;
}

// People

/** Who takes part in a thread. */
interface People extends MailThread {
  /** The subject without the marks before it, folded. */
  readonly topic: string;
  /** Names and addresses of all, folded. */
  readonly all: ReadonlySet<string>;
  /** The first and last names among them. */
  readonly nameWords: ReadonlySet<string>;
}

const SHORTEST_NAME = 2;
const SHORTEST_TOPIC = 3;
const MAX_PEOPLE = 200;

function peopleOf(thread: MailThread): People {
  const known = [thread.from, thread.fromName, ...thread.others].slice(0, MAX_PEOPLE);
  const all = known.map((one) => fold(one ?? '')).filter((one) => one.length >= SHORTEST_NAME);
  const names = all.filter((one) => !one.includes('@')).flatMap((one) => one.split(/[\s,]+/));
  const nameWords = new Set(names.filter((word) => word.length >= SHORTEST_NAME));
  return { ...thread, topic: fold(withoutMarks(thread.subject)), all: new Set(all), nameWords };
}

function fold(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/["'*<>[\]()]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

const MARK = /^\s*(?:\p{L}{1,12}\s?(?:\[\d{1,3}\])?\s?[:：]|\[[^\]\n]{1,40}\])\s*/u;
const MAX_MARKS = 6;

function withoutMarks(subject: string): string {
  let rest = subject.slice(0, MAX_LINE);
  for (let nth = 0; nth < MAX_MARKS && MARK.test(rest); nth += 1) rest = rest.replace(MARK, '');
  return rest;
}

// The head of a mail

/** A line that says what is behind its label. */
interface LabelledLine {
  readonly label: string;
  readonly value: string;
  /** The offset at which the next line begins. */
  readonly next: number;
}

const MAX_LABEL_WORDS = 4;
const MAX_LABEL = 48;
const LABEL = /^[\p{L}\p{M}][\p{L}\p{M} .'’/()-]*$/u;
const DECORATION = /^[\s*_|]+|(?<![\s*_|])[\s*_|]+$/gu;
const MAX_HEAD_LINES = 8;
const MAX_CONTINUED = 12;
/** Sender, time, recipient and subject: shorter ones are the head of a mail only if more speaks for it. */
const LEAST_HEAD_ALONE = 4;

/** Returns a line with a label of up to four words, in bold or not, or a row of a table with two cells; null for any other. */
function labelledLine(lines: readonly string[], at: number): LabelledLine | null {
  const line = lines[at] ?? '';
  if (line.length > MAX_LINE) return null;
  const bare = line.trim();
  const isRow = bare.startsWith('|') && bare.endsWith('|');
  const cut = isRow ? bare.indexOf('|', 1) : line.search(/[:：]/u);
  if (cut < 1 || cut > MAX_LABEL) return null;
  const text = isRow ? bare : line;
  const label = text.slice(0, cut).replace(DECORATION, '');
  const behind = text.slice(cut + 1);
  const isLabel = LABEL.test(label) && label.split(/\s+/).length <= MAX_LABEL_WORDS;
  if (!isLabel || /^[/:：]/u.test(behind)) return null;
  const value = behind.replace(DECORATION, '');
  return { label, ...continued(lines, at + 1, value) };
}

/** Returns the value with the lines that go on with it: long lists of recipients are wrapped, some values are below. */
function continued(lines: readonly string[], from: number, begun: string): Omit<LabelledLine, 'label'> {
  let [value, next] = [begun, from];
  while (next < from + MAX_CONTINUED && value.length < MAX_LINE) {
    const line = lines[next] ?? '';
    const goesOn = value === '' || /[;,]$/.test(value) || (/^\s/.test(line) && line.trim() !== '');
    const isLabelled = /^[^:：]{1,48}[:：](?:\s|$|\*)/u.test(line) && !ADDRESS.test(line.slice(0, MAX_LABEL));
    if (!goesOn || line.trim() === '' || line.length > MAX_LINE || isLabelled || QUOTED_LINE.test(line)) break;
    value = `${value} ${line.trim()}`.trim();
    next += 1;
  }
  return { value, next };
}

/** Returns the labelled lines from here on; `hasGaps`: with at most one empty line between two of them. */
function labelledLines(lines: readonly string[], from: number, hasGaps: boolean): readonly LabelledLine[] {
  const found: LabelledLine[] = [];
  let at = from;
  while (found.length < MAX_HEAD_LINES) {
    const here = hasGaps && (lines[at] ?? '').trim() === '' && found.length > 0 ? at + 1 : at;
    const labelled = labelledLine(lines, here);
    if (labelled === null) break;
    found.push(labelled);
    at = labelled.next;
  }
  return found;
}

type RuleAbove = 'bare' | 'with words' | null;

const BARE_RULE = /^\s*([-_=*~─━—–])\1{4,}\s*$/u;
const WORDED_RULE = /^\s*([-_=*~─━—–])\1{1,80}\s*(?<words>[^\s-](?:.{0,200}[^\s-])?)\s*\1\1/u;
const MAX_GAP = 3;

/** Whether a line is a rule that has the head of a mail below it, or within it (`---- On … Sam <…> wrote ----`). */
function isHeadBelowRule(lines: readonly string[], at: number, people: People): boolean {
  const line = lines[at] ?? '';
  const words = WORDED_RULE.exec(line)?.groups?.words;
  if (words === undefined && !BARE_RULE.test(line)) return false;
  if (words !== undefined && ADDRESS.test(words) && (hasDay(words) || people.isReply)) return true;
  const gap = lines.slice(at + 1, at + 1 + MAX_GAP).findIndex((one) => one.trim() !== '');
  if (gap === -1) return false;
  const next = at + 1 + gap;
  if (isMailHead(lines, next, words === undefined ? 'bare' : 'with words', people)) return true;
  return words !== undefined && people.isReply && isPersonLine(lines[next] ?? '', people);
}

/** A person without a label: `From Sam <sam@home.example>`, as the cells of a table are read. */
function isPersonLine(line: string, people: People): boolean {
  return line.length <= MAX_LABEL * 3 && isMailbox(line) && !addressesIn(line).every((one) => one === people.from);
}

/** Whether the head of another mail begins here. */
function isMailHead(lines: readonly string[], at: number, rule: RuleAbove, people: People): boolean {
  const begun = labelledLine(lines, at);
  if (begun === null) return false;
  const startsWithPerson = isPerson(begun.value, people);
  // The sender's own facts may be above the head.
  const head = labelledLines(lines, at, startsWithPerson || rule !== null || isName(begun.value));
  if (hasHeaderNames(head)) return true;
  const values = head.map(({ value }) => value);
  const [first = ''] = values;
  const persons = values.filter((value) => isPerson(value, people));
  if (values.length < 2)
    return (rule === 'with words' || (rule !== null && people.isReply)) && isMailbox(first) && !isSender(first, people);
  const hasTime = values.some(hasDay);
  const repeatsSubject = people.topic.length >= SHORTEST_TOPIC && values.some((value) => isTopic(value, people));
  const isOfMail = hasTime || repeatsSubject;
  const hasOther = persons.some((value) => !isSender(value, people));
  if (people.isReply) {
    if (startsWithPerson && (isOfMail || rule !== null || (persons.length > 1 && hasOther))) return true;
    if (persons.length > 0 && (hasOther || rule !== null) && isOfMail) return true;
    // Outlook writes only the names of people in the same organisation.
    if (!isName(first) || values.length < 3) return false;
    return values.some(hasTimeOfDay) || (repeatsSubject && hasTime);
  }
  if (values.some((value) => isFigure(value) && !isTopic(value, people))) return false;
  if (repeatsSubject && values.some(hasTimeOfDay) && isBetweenNames(values, rule, people)) return true;
  if (rule === 'with words') return persons.length > 0 && isOfMail;
  if (startsWithPerson && hasTime && repeatsSubject) return true;
  if (!startsWithPerson || !hasOther) return false;
  if (rule !== null) return true;
  return (
    values.some(isMailbox) && isOfMail && (repeatsSubject || persons.length > 1 || values.length >= LEAST_HEAD_ALONE)
  );
}

/** Whether somebody has written to the sender, by their names: an appointment has the time and the subject as well. */
function isBetweenNames(values: readonly string[], rule: RuleAbove, people: People): boolean {
  const isToSender = values.some((value) => value.split(/[;,]/).some((one) => isSender(one, people)));
  const hasOther = values.some((value) => isName(value) && !isTopic(value, people) && !isSender(value, people));
  return hasOther && (isToSender || rule !== null);
}

/** Whether lines have the names of the headers themselves (RFC 5322). A journey has "From" and "To". */
function hasHeaderNames(head: readonly LabelledLine[]): boolean {
  const labels = new Set(head.map(({ label }) => label.toLowerCase()));
  return labels.has('from') && labels.has('subject');
}

function isTopic(value: string, { topic }: People): boolean {
  return fold(withoutMarks(value)) === topic;
}

function isPerson(value: string, people: People): boolean {
  return isMailbox(value) || people.all.has(fold(value));
}

/** Whether a person is the sender, or of the sender's organisation and in no other header. */
function isSender(value: string, { from, fromName, others }: People): boolean {
  const found = addressesIn(value);
  if (found.length === 0) return fold(value) === fold(fromName ?? '');
  const domain = domainPart(from ?? '');
  return found.every(
    (one) => one === from || (domain !== '' && isAligned(domainPart(one), domain) && !others.includes(one)),
  );
}

function domainPart(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}

/** Chinese and Japanese have no blank before an address. */
const ADDRESS =
  /(?<![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\d._%+'&=~@-])[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\d._%+'&=~-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,6}/u;
const ADDRESSES = new RegExp(ADDRESS.source, 'gu');
const MAX_WORDS_OF_PERSON = 6;

function addressesIn(text: string): readonly string[] {
  return (text.includes('@') ? (text.slice(0, MAX_LINE).match(ADDRESSES) ?? []) : []).map((one) => one.toLowerCase());
}

/** Whether a value is one or more addresses, with the names of people or without. */
function isMailbox(value: string): boolean {
  const found = addressesIn(value);
  if (found.length === 0) return false;
  const rest = value.replace(ADDRESSES, ' ').replace(/mailto:/gi, ' ');
  const words = rest.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return !/\p{Nd}{3}|https?:/u.test(rest) && words.length <= MAX_WORDS_OF_PERSON * found.length;
}

/** Whether a value looks like a name: two to four words with capitals. */
function isName(value: string): boolean {
  const words = value.trim().split(/[\s,]+/, MAX_LABEL_WORDS + 1);
  return words.length <= MAX_LABEL_WORDS && words.every((word) => /^[\p{Lu}\p{Lo}][\p{L}\p{M}.'’/-]*$/u.test(word));
}

function isFigure(value: string): boolean {
  if (/^(?:https?:|www\.)/i.test(value)) return true;
  return (
    !hasDay(value) && !ADDRESS.test(value) && /\p{Nd}/u.test(value) && (value.match(/\p{L}{3,}/gu) ?? []).length < 2
  );
}

const DATE_IN_FIGURES =
  /(?<!\p{Nd})(?:\p{Nd}{1,2}[./-] ?\p{Nd}{1,2}[./-] ?\p{Nd}{2,4}|\p{Nd}{4}[./-] ?\p{Nd}{1,2}[./-] ?\p{Nd}{1,2})(?!\p{Nd})/u;
const YEAR = /(?<!\p{Nd})\p{Nd}{4}(?!\p{Nd})/u;
const DAY_NUMBER = /(?<!\p{Nd})\p{Nd}{1,2}(?!\p{Nd})/u;
const TIME_OF_DAY = /(?<!\p{Nd})\p{Nd}{1,2}(?:[:.h：]|시|時|点|點) ?\p{Nd}{2}(?!\p{Nd})/u;
const MAX_DATE = 160;

/** Whether a text has a day with its year, in any script. */
function hasDay(text: string): boolean {
  const start = text.slice(0, MAX_DATE);
  return DATE_IN_FIGURES.test(start) || (YEAR.test(start) && DAY_NUMBER.test(start));
}

function hasTimeOfDay(text: string): boolean {
  return hasDay(text) && TIME_OF_DAY.test(text.slice(0, MAX_DATE));
}

// Attributions

const MAX_ATTRIBUTION = 400;
const MAX_ATTRIBUTION_LINES = 3;
const ENDS_IN_COLON = /[:：][\s*_]{0,4}$/u;
const BRACKETED = new RegExp(`[<(\\[]\\s?(?:mailto:)?${ADDRESS.source}`, 'iu');
const STARTS_WITH_ADDRESS = new RegExp(`^\\s{0,8}${ADDRESS.source}`, 'u');
/** "Am 27.11.2026 um 10:00 schrieb Sam Porter", with the words that are no numbers. */
const MAX_WORDS_WITH_DAY = 10;
const MAX_WORDS_OF_WRAPPED = 16;
const MAX_WORDS_ALONE = 5;

/**
 * Returns how many lines an attribution has (`On … Sam <sam@home.example> wrote:`), at most three; 0 if there isn't
 * one.
 */
function countAttribution(lines: readonly string[], at: number, people: People): number {
  let text = '';
  for (let count = 1; count <= MAX_ATTRIBUTION_LINES; count += 1) {
    const line = lines[at + count - 1] ?? '';
    text = `${text} ${line.trim()}`.trim();
    if (line.trim() === '' || text.length > MAX_ATTRIBUTION) return 0;
    if (!ENDS_IN_COLON.test(line)) {
      if (isWithinParagraph(lines, at)) return 0;
      continue;
    }
    const isWrapped = count > 1;
    if (isWrapped && (wordsWithout(text) > MAX_WORDS_OF_WRAPPED || labelledLine(lines, at) !== null)) return 0;
    return isAttribution(text, isQuotationNext(lines, at + count), people) ? count : 0;
  }
  return 0;
}

/** A sentence that goes on from the line above is no attribution. */
function isWithinParagraph(lines: readonly string[], at: number): boolean {
  const before = lines[at - 1] ?? '';
  return before.trim() !== '' && !QUOTED_LINE.test(before) && !BARE_RULE.test(before);
}

function isAttribution(text: string, hasQuotation: boolean, people: People): boolean {
  const words = wordsWithout(text);
  if (marks().youWrote.test(text)) return true;
  if (hasQuotation && (words <= MAX_WORDS_ALONE || ADDRESS.test(text) || hasDay(text))) return true;
  if (ADDRESS.test(text))
    return people.isReply || hasDay(text) || BRACKETED.test(text) || STARTS_WITH_ADDRESS.test(text);
  if (hasDay(text)) {
    const [isTimed, isNamed] = [hasTimeOfDay(text), namesIn(text, people).some(Boolean)];
    return words <= MAX_WORDS_WITH_DAY && (people.isReply ? isTimed || isNamed : isTimed && isNamed);
  }
  const named = namesIn(text, people);
  // "Dear Sam Porter:" begins a letter.
  return people.isReply && words <= MAX_WORDS_ALONE && named[0] === true && named.at(-1) === false;
}

function wordsWithout(text: string): number {
  return (text.replace(ADDRESSES, ' ').match(/[\p{L}\p{M}]+/gu) ?? []).length;
}

/** Returns for each word of a text whether it is of the name of a person in the thread. */
function namesIn(text: string, { nameWords }: People): readonly boolean[] {
  return (fold(text).match(/[\p{L}\p{M}]+/gu) ?? []).map((word) => nameWords.has(word));
}
