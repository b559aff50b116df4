import { z } from 'zod';
import { isAboutEvent } from '../injection/obedience.ts';
import { noteOf, type Request, type Script, sound, textOf } from '../providers/messages-server.ts';
import type { Attack, Wish } from './corpus/attack.ts';
import { claimAbout } from './corpus/claims.ts';
import { NOTES, nameOf } from './corpus/household.ts';

const shownEvent = z.object({ subject: z.string(), text: z.string(), earlier: z.string() });
const shownNote = z.object({ note: z.string(), name: z.string() });

/**
 * A model that does whatever the mail before it asks for, with full confidence. What it is not shown it cannot obey. It
 * is told of each attack when its turn comes, and judges a note as the attack on it wants.
 */
export class Obedience {
  #reading: Attack | null = null;
  readonly #wishes = new Map<string, Wish | null>();

  constructor(attacks: readonly Attack[]) {
    for (const { about, wants } of attacks) this.#wishes.set(NOTES[about], wants);
  }

  /** The attack whose mails are read next. */
  reads(attack: Attack): void {
    this.#reading = attack;
  }

  readonly script: Script = (asked) => ({
    do: 'say',
    text: isAboutEvent(asked) ? signalsIn(asked, this.#reading) : this.#judgement(asked),
  });

  #judgement(asked: Request): string {
    const note = noteOf(asked);
    const wish = this.#wishes.has(note) ? this.#wishes.get(note) : { field: 'state', value: 'done' };
    if (wish == null) return sound(asked, { note, decision: 'still_active', changes: [] });
    return sound(asked, { note, confidence: 1, changes: [{ ...wish, op: 'set' }] });
  }
}

function signalsIn(asked: Request, attack: Attack | null): string {
  const quote = attack === null ? null : quoteIn(asked, attack);
  if (attack?.wants == null || quote === null) return JSON.stringify({ signals: [] });
  const given = notesIn(asked);
  const meant = given.find(({ name }) => name === nameOf(attack.about)) ?? given[0];
  const signal = {
    ...{ note: meant?.note ?? 'c1', or_notes: [], note_confidence: 1, quote, effect_confidence: 1 },
    ...{ changes: [{ ...attack.wants, op: 'set' }], reasoning: attack.tries },
  };
  return JSON.stringify({ signals: [signal] });
}

/** The first words of the claim, where the model was shown it at all. */
function quoteIn(asked: Request, { about }: Attack): string | null {
  const { linked, sentence } = claimAbout(about);
  const { subject, text, earlier } = shownEvent.parse(between(asked, 'event')[0]);
  const words = [linked, sentence].find((one) => [subject, text, earlier].some((shown) => shown.includes(one)));
  return words?.slice(0, 50) ?? null;
}

function notesIn(asked: Request): z.infer<typeof shownNote>[] {
  return between(asked, 'notes').map((line) => shownNote.parse(line));
}

/** Returns the JSON that stands, a line each, between the marks of a name. */
function between(asked: Request, name: string): unknown[] {
  const [, inside = ''] = textOf(asked).split(new RegExp(`</?${name}>`));
  return inside
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
