// Over 5 s: each example lives through many lessons in a vault on disk.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterEdit,
  afterPatterns,
  afterReversal,
  afterRight,
  afterWrongOutcome,
  composeOpening,
  handRows,
  type Instinct,
  initialInstinct,
  instinctEdits,
  instinctFrom,
  instinctNote,
  isVisible,
  makeHistoryRow,
} from '../../src/steward/instinct.ts';
import { editedText } from '../../src/vault/edit.ts';
import { readNote } from '../../src/vault/frontmatter.ts';
import { readHistory, readOpening, withHistory } from '../../src/vault/note-text.ts';
import { instinctFields } from '../../src/vault/record.ts';
import { lawRuns } from '../support/laws.ts';

const NOW = Date.UTC(2026, 10, 21);

/** What can happen to an instinct. */
type Happening =
  | { readonly what: 'right' | 'wrong' | 'taken back' }
  | { readonly what: 'patterns'; readonly moved: number }
  | { readonly what: 'pin' | 'unpin' }
  | { readonly what: 'set'; readonly confidence: number };

/** Section 7 of the contract, written down a second time: a sentence a line, nothing shared with the code. */
class Model {
  confidence: number;
  right = 0;
  wrong = 0;
  reversals = 0;
  status = 'pending';
  pin: 'none' | 'own' | 'person' | 'taken away' = 'none';
  #wrongInARow = 0;

  // It starts at its prior.
  constructor(prior: number) {
    this.confidence = prior;
  }

  happen(one: Happening): void {
    if (one.what === 'right') this.#right();
    // Dismissed as wrong, or set otherwise by hand: −0.05; undone: −0.1.
    else if (one.what === 'wrong') this.#wrong(0.05);
    else if (one.what === 'taken back') this.#wrong(0.1);
    // The channel moves by a fifth of what its patterns move, and they never take it below 0.2.
    else if (one.what === 'patterns') {
      this.#move(Math.max(Math.min(0.2, this.confidence), this.confidence + one.moved / 5));
    }
    // A person's edit counts as it stands.
    else if (one.what === 'set') this.confidence = one.confidence;
    else if (one.what === 'pin') this.#pinByHand();
    else this.#unpinByHand();
    if (one.what === 'taken back') this.reversals += 1;
    if (['right', 'wrong', 'taken back', 'patterns'].includes(one.what)) this.#settle();
  }

  // Right: nine tenths of what it was and a tenth; one more observation. It ends a row of wrong ones.
  #right(): void {
    this.#move(0.9 * this.confidence + 0.1);
    this.right += 1;
    this.#wrongInARow = 0;
    // Pinned by itself from 0.9 on with ten observations, unless a person has said otherwise, or it is pruned.
    const isSure = this.confidence >= 0.9 && this.right >= 10;
    if (isSure && this.pin === 'none' && this.status !== 'pruned') this.pin = 'own';
  }

  #wrong(by: number): void {
    this.#move(this.confidence - by);
    this.wrong += 1;
    this.#wrongInARow += 1;
  }

  // Never below 0 nor above 1. The program's own pin has a floor of 0.5; it never lifts what a person set below it.
  #move(to: number): void {
    const floor = this.pin === 'own' ? Math.min(0.5, this.confidence) : 0;
    this.confidence = Math.round(Math.min(1, Math.max(floor, to)) * 10_000) / 10_000;
  }

  #settle(): void {
    // Pending until three outcomes, then live.
    if (this.status === 'pending' && this.right + this.wrong >= 3) this.status = 'live';
    // Pruned below 0.2, or after five wrong outcomes without a right one; a person's pin is never pruned.
    const isHopeless = this.confidence < 0.2 || this.#wrongInARow >= 5;
    if (!isHopeless || this.pin === 'person') return;
    this.status = 'pruned';
    if (this.pin === 'own') this.pin = 'none';
  }

  // A person's pin brings back what was pruned. A pin upon the program's own says nothing new.
  #pinByHand(): void {
    if (this.pin === 'own') return;
    this.pin = 'person';
    if (this.status === 'pruned') this.status = 'live';
  }

  #unpinByHand(): void {
    if (this.pin === 'own' || this.pin === 'person') this.pin = 'taken away';
  }
}

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 14,
    arbitrary: fc.record({ what: fc.constant('right' as const) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constantFrom('wrong' as const, 'taken back' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('patterns' as const),
      moved: fc.double({ min: -0.5, max: 0.5, noNaN: true }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('pin' as const, 'unpin' as const) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('set' as const), confidence: unit }) },
);

/** Of a good source little is wrong: only such a row of happenings comes as far as the program's own pin. */
const good = fc.oneof(
  { weight: 24, arbitrary: fc.record({ what: fc.constant('right' as const) }) },
  { weight: 1, arbitrary: happening },
);
const life = fc.oneof(fc.array(happening, { maxLength: 80 }), fc.array(good, { maxLength: 80 }));

function after(one: Instinct, happened: Happening): Instinct {
  const edit = { prior: null, confidence: null, pinned: one.pinned };
  switch (happened.what) {
    case 'right':
      return afterRight(one);
    case 'wrong':
      return afterWrongOutcome(one, NOW);
    case 'taken back':
      return afterReversal(one, NOW);
    case 'patterns':
      return afterPatterns(one, happened.moved);
    case 'set':
      return afterEdit(one, { ...edit, confidence: happened.confidence });
    default:
      return afterEdit(one, { ...edit, pinned: happened.what === 'pin' });
  }
}

function pinOf({ pinned, pinnedBy }: Instinct): Model['pin'] {
  if (pinned) return pinnedBy === 'steward' ? 'own' : 'person';
  return pinnedBy === 'person' ? 'taken away' : 'none';
}

describe('the transitions of section 7', () => {
  test('are what the plain model says, whatever happens in whatever order', () => {
    const start = fc.constantFrom('gmail', 'mail:anna@notary.example', 'slack_channel', 'other');
    const pins = new Set<string>();
    fc.assert(
      fc.property(start, life, (source, all) => {
        let one = initialInstinct(source);
        const model = new Model(one.prior);
        for (const happened of all) {
          one = after(one, happened);
          model.happen(happened);
          const { confidence, observations, wrong, reversals, status } = one;
          const { confidence: c, right, wrong: w, reversals: r, status: s, pin } = model;
          expect([confidence, observations, wrong, reversals, status, pinOf(one)]).toEqual([c, right, w, r, s, pin]);
          pins.add(pin);
        }
      }),
      { numRuns: lawRuns() },
    );
    // Many examples reach the program's own pin, too.
    expect(pins.size).toBeGreaterThanOrEqual(lawRuns() < 1000 ? 2 : 4);
  });
});

describe('the history of an instinct note', () => {
  const FILE = 'instinct/mail/anna.md';

  // As a lesson is written: the figures in the note, what a person has changed in them, and then the lesson's own row.
  function lived(text: string, happened: Happening): string {
    const read = readNote(FILE, Buffer.from(text));
    if (!read.ok) throw new Error('the note cannot be read');
    const { data } = read.note;
    const before = instinctFrom(instinctFields.parse(data), 'mail:anna');
    if (happened.what === 'set') {
      const value = Math.round(happened.confidence * 100) / 100;
      return editedText(FILE, text, [{ op: 'set', field: 'confidence', value }]) ?? text;
    }
    const next = after(before, happened);
    const known = { data, rows: readHistory(FILE, text), opening: readOpening(FILE, text) };
    const row = isVisible(before, next) ? [makeHistoryRow(before, next, NOW, happened.what)] : [];
    const edited = editedText(FILE, text, instinctEdits(before, next, data)) ?? text;
    return withHistory(FILE, edited, [...handRows(before, known, NOW), ...row], composeOpening(next));
  }

  test('adds up to the figures, whatever happens and however long it is', () => {
    fc.assert(
      fc.property(fc.array(happening, { minLength: 1, maxLength: 40 }), (all) => {
        const start = initialInstinct('mail:anna');
        const first = afterRight(start);
        let text = instinctNote(FILE, first, [makeHistoryRow(start, first, NOW, 'right')]);
        for (const one of [...all, { what: 'right' as const }]) text = lived(text, one);
        const rows = readHistory(FILE, text);
        const read = readNote(FILE, Buffer.from(text));
        const figures = read.ok ? read.note.data : {};
        for (const [nth, row] of rows.entries()) if (nth > 0) expect(row.before).toBe(rows[nth - 1]?.after);
        expect(rows.length).toBeLessThanOrEqual(20);
        expect(rows[0]?.before).toBe(start.prior);
        expect(rows.at(-1)).toMatchObject({ after: figures.confidence, observations: figures.observations });
      }),
      { numRuns: lawRuns() },
    );
  });
});
