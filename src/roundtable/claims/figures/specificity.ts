import type { Figure } from './figure.ts';

const LABEL =
  /\b(?:round|step|option|point|section|phase|item|part|table|figure|scenario|chapter|question|page|level|no|nr|number|rule|issue|day|week|perspective|tension|case|plan|stage|tier|version|note|appendix|article|turn|priority|plot|flat|room|invoice|ticket|variant|offer|reason|argument|objection|principle|idea|track|platform|channel|port|building|exhibit|clause|para(?:graph)?|annex|volume|edition|slide|screen|sheet|column|row|cell|batch|lot|group|team|agent|speaker|sprint|milestone|grade|category|class|model|error|status|http|code|footnote|claim|hypothesis|goal|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\.?\s#?$/i;
const THRESHOLD =
  /(?:[<>≤≥=]=?|\b(?:threshold|limit|cap|floor|ceiling|minimum|maximum|min|max|cut-?off|quota|score|budget)\b(?:\s(?:of|is|was|at|to|stands at))?:?)\s?["'`]?$/i;
const SET_TO = /[\p{L}]{1,20}(?:[_.][\p{L}\d]{1,40}|\p{Ll}\p{Lu}[\p{L}\d]{0,40})`?\s?(?:is|was|=|:|of|at)\s?$/u;
const COUNTED =
  /^(?:\sof\sthe|\sof)?(?:\s[\p{L}-]{1,20}){0,2}?\s(?:rows?|records?|entr(?:y|ies)|lines?|match(?:es)?|errors?|failures?|tests?|files?|samples?|users?|customers?|clients?|requests?|calls?|events?|incidents?|complaints?|invoices?|payments?|bugs?|crash(?:es)?|timeouts?|signals?|tasks?|reversals?|observations?|quotes?|visits?|reviews?|respondents?|patients?|duplicates?|hits?|miss(?:es)?|retries|attempts?|commits?|tiles?|boxes|pieces|units?|square met(?:er|re)s?)\b/iu;
/** What makes of `three times` a ratio rather than a count in common speech. */
const COMPARES = /^\s(?:as\b|more\b|less\b|higher|larger|bigger|faster|slower|longer|the\b|that\b|what\b|over\b)/i;
const SHARE_BEFORE = /(?:\bout of|\d\sof|\d\sin)\s(?:the\s|every\s)?$/i;
const SHARE_AFTER = /^\s(?:out of\b|(?:of|in)\s(?:the\s|every\s)?\d)/i;
/** A bare count up to this is common speech; above it, it is a claim. */
const COMMON = 12;

/** How a number is written: in digits or words, with the text on either side. */
interface Wording {
  readonly inWords: boolean;
  readonly before: string;
  readonly after: string;
}

/** Returns whether a number is a claim that needs support, rather than a common way of speaking. */
export function isSpecific(figure: Figure, { inWords, before, after }: Wording): boolean {
  const value = figure.values[0] ?? 0;
  if (figure.kind === 'money' || figure.kind === 'size') return true;
  if (figure.kind === 'percent') return value !== 0 && value !== 100;
  if (figure.kind === 'factor' && value <= COMMON && !COMPARES.test(after)) return !inWords && value > 3;
  if (figure.kind !== 'number') return inWords ? value > 2 : value !== 1;
  const counts = THRESHOLD.test(before) || SET_TO.test(before) || COUNTED.test(after);
  const isShare = SHARE_BEFORE.test(before) || SHARE_AFTER.test(after);
  if (inWords) return value > COMMON || (value > 2 && (counts || isShare));
  if (counts || isShare) return true;
  const labelled = before.replace(/\d{1,9}\s?[-–]$/, '');
  if (LABEL.test(labelled) || isYear(figure)) return false;
  return !Number.isInteger(value) || value > COMMON;
}

function isYear({ text, values }: Figure): boolean {
  const [value = 0] = values;
  return /^\d{4}$/.test(text) && value >= 1900 && value <= 2100;
}
