import { escapeMarkdown, linkTo } from '../notes/escape.ts';
import type { PartMarks } from '../notes/kept-part.ts';
import type { UndoRecipe } from '../records/event.ts';
import { utc } from '../time.ts';
import { momentWords, untilWords } from './moments.ts';

/** The marks of the part of an event note that says what can be done now, or what has become of it. */
export const NOW_PART: PartMarks = { begin: '%% steward %%', end: '%% /steward %%' };

/** What an event note asks of a person. */
type Asking = 'proposal' | 'question' | 'choice';
/** What it is that can be taken back. */
type Made = 'change' | 'reversal';

/** What has become of what an event note tells: what can be done now, or what was done. Moments in epoch ms. */
export type Becoming =
  | { readonly kind: 'open'; readonly asks: Asking }
  | { readonly kind: 'undoable'; readonly made: Made; readonly until: number }
  /** The days in which it could be taken back are over. */
  | { readonly kind: 'over'; readonly until: number }
  /** A reversal that found the field changed, and can still be forced. */
  | { readonly kind: 'forcible'; readonly until: number }
  | { readonly kind: 'reversed'; readonly by: string; readonly at: number }
  /** `until`: how long the change can be taken back there; null where there is none, or no longer. */
  | { readonly kind: 'confirmed'; readonly by: string; readonly at: number; readonly until: number | null }
  | { readonly kind: 'dismissed'; readonly by: string; readonly at: number }
  | { readonly kind: 'superseded'; readonly by: string }
  | { readonly kind: 'settled'; readonly by: string | null; readonly reason: string; readonly isMade: boolean }
  | { readonly kind: 'nothing' };

/** The classes of an event note in Obsidian: the style sheet that `init` offers hides the machine's part of such notes. */
export const EVENT_CLASSES: readonly string[] = ['steward-event'];

/** Returns that a change, or a reversal, can be taken back as long as its recipe says; 'nothing' without a recipe. */
export function undoable(made: Made, recipe: UndoRecipe | null): Becoming {
  if (recipe === null) return { kind: 'nothing' };
  const until = Date.parse(recipe.expires_at);
  return Number.isNaN(until) ? { kind: 'over', until } : { kind: 'undoable', made, until };
}

/** The checkboxes and `choose`, in the order in which they stand in a note. */
export const BOXES = ['choose', 'confirm', 'dismiss', 'undo', 'force', 'deliberate'] as const;
type Box = (typeof BOXES)[number];

const ASKED: Readonly<Record<Asking, readonly Box[]>> = {
  proposal: ['confirm', 'dismiss', 'deliberate'],
  question: ['dismiss'],
  choice: ['choose', 'dismiss'],
};

/** Returns the boxes that can mean something now. */
export function boxesFor(becoming: Becoming): readonly Box[] {
  if (becoming.kind === 'open') return ASKED[becoming.asks];
  if (becoming.kind === 'undoable') return ['undo'];
  return becoming.kind === 'forcible' ? ['force'] : [];
}

/** Returns the field that says what the program's part of a new note says; none where it has no such part. */
export function saysField(becoming: Becoming): { readonly says?: string } {
  return becoming.kind === 'nothing' ? {} : { says: becomingKey(becoming) };
}

/** Returns the boxes that can mean something now as fields of a new note, none of them ticked. */
export function boxFields(becoming: Becoming): Readonly<Record<string, false | ''>> {
  return Object.fromEntries(boxesFor(becoming).map((box) => [box, box === 'choose' ? '' : false]));
}

/** Returns what has become of an event as one short text that can be compared: the note says so in `says`. */
export function becomingKey(becoming: Becoming): string {
  switch (becoming.kind) {
    case 'open':
      return `open ${becoming.asks}`;
    case 'undoable':
    case 'forcible':
      return `${becoming.kind} until ${utc(becoming.until)}`;
    case 'confirmed':
      return `confirmed ${becoming.by}${becoming.until === null ? '' : ` until ${utc(becoming.until)}`}`;
    case 'reversed':
    case 'dismissed':
    case 'superseded':
      return `${becoming.kind} ${becoming.by}`;
    default:
      return becoming.kind;
  }
}

/** Whether a note says of its event, in `says`, that it can still be forced. */
export function saysForcible(says: string): boolean {
  return says.startsWith('forcible ');
}

const INVITED: Readonly<Record<Asking, string>> = {
  proposal:
    'Tick `confirm` above to make the change, `dismiss` to let it go, or `deliberate` to have it argued first. It waits until you answer.',
  question: 'Tick `dismiss` above once you have seen to it.',
  choice:
    'Tick the right note in the list to make the change there, or tick `dismiss` above to let it go. Its link in `choose` means the same.',
};

/** Returns what can be done now, or what has become of it, in a sentence or two. */
export function becomingWords(becoming: Becoming): string {
  switch (becoming.kind) {
    case 'open':
      return INVITED[becoming.asks];
    case 'undoable':
      return `Tick \`undo\` above to ${becoming.made === 'change' ? 'take it back' : 'make the change again'}, until ${untilWords(becoming.until)}.`;
    case 'over':
      return `It stands.${Number.isNaN(becoming.until) ? '' : ` It could be taken back until ${momentWords(becoming.until)}.`}`;
    case 'forcible':
      return `Tick \`force\` above to take it back all the same, until ${untilWords(becoming.until)}.`;
    case 'reversed':
      return `You took this back${on(becoming)}: ${linkTo(becoming.by)}.`;
    case 'confirmed':
      return `You confirmed this${on(becoming)}: ${linkTo(becoming.by)}.${undoThere(becoming.until)}`;
    case 'dismissed':
      return `You dismissed this${on(becoming)}: ${linkTo(becoming.by)}.`;
    case 'superseded':
      return `A newer note has taken its place: ${linkTo(becoming.by)}.`;
    case 'settled':
      return settledWords(becoming);
    case 'nothing':
      return 'Nothing is asked of you.';
  }
}

function on({ at }: { readonly at: number }): string {
  return Number.isNaN(at) ? '' : ` on ${momentWords(at)}`;
}

function undoThere(until: number | null): string {
  return until === null ? '' : ` Tick \`undo\` there to take it back, until ${untilWords(until)}.`;
}

function settledWords({ by, reason, isMade }: Extract<Becoming, { kind: 'settled' }>): string {
  if (by !== null) return `It waits no more: ${linkTo(by)} says why.`;
  return isMade
    ? 'You made this change by hand, so nothing is left to answer.'
    : `It waits no more: ${escapeMarkdown(reason)}.`;
}
