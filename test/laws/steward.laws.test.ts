import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { weigh } from '../../src/providers/substitutes.ts';
import { classifyChanges, permit } from '../../src/steward/change.ts';
import {
  DEFAULT_THRESHOLDS,
  decideOutcome,
  discretionThreshold,
  effectiveMode,
  type Gate,
  type Mode,
  modeGate,
  routeAlone,
  signalGates,
  type Witness,
} from '../../src/steward/gates.ts';
import * as instinct from '../../src/steward/instinct.ts';
import { backoff, backoffUntil, emptyGuard, type GuardTarget, release, reserve } from '../../src/steward/rate-guard.ts';
import { matterPeriod, nextAfter, nextCheck, nextFire, schedulePhase } from '../../src/steward/schedule.ts';
import type { WeighedSignal } from '../../src/steward/types.ts';
import type { Yaml } from '../../src/vault/frontmatter.ts';
import { type FieldChange, type MutationClass, STATES } from '../../src/vault/record.ts';
import { localTime, parseLocalTime } from '../../src/vault/time.ts';
import { context, DAY, fields, HOUR, MINUTE, NOW, question, signal } from '../steward/samples.ts';
import { ACTS_FROM, ALLOWED, DISCRETION_THRESHOLDS } from '../support/gates.ts';
import { lawRuns } from '../support/laws.ts';

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const strong = fc.double({ min: 0.01, max: 1, noNaN: true });
const mode = fc.constantFrom<Mode>('shadow', 'live_high_confidence_only', 'live');
const RANK = { shadow: 0, live_high_confidence_only: 1, live: 2 };
const moment = fc.integer({ min: NOW - 4000 * DAY, max: NOW + 4000 * DAY });

describe('rate guard', () => {
  /** The rules written down a second time, as slowly as can be. */
  class Slow {
    spent: { id: number; at: number; task: string | null; matter: string | null; senders: readonly string[] }[] = [];
    allows(target: GuardTarget, now: number): boolean {
      const within = (ms: number) => this.spent.filter((one) => now - one.at < ms);
      const task = within(DAY).filter((one) => target.kind === 'task' && one.task === target.path);
      const matter = target.kind === 'matter' ? target.path : target.matter;
      const ofMatter = within(DAY).filter((one) => matter !== null && one.matter === matter);
      const shared = within(MINUTE).length < 60 && within(HOUR).length < 600 && within(DAY).length < 6000;
      const kept = target.licensed ? 0 : 1;
      const had = (of: typeof task, sender: string) => of.filter(({ senders }) => senders.includes(sender)).length;
      const mayAny = (of: typeof task, half: number) =>
        target.senders.length === 0 || target.senders.some((sender) => had(of, sender) < half);
      const byTask = task.length < 6 - kept && mayAny(task, 3);
      const byMatter = ofMatter.length < 50 - kept && mayAny(ofMatter, 25);
      return shared && (target.kind === 'matter' || byTask) && ((matter ?? null) === null || byMatter);
    }
    take(id: number, target: GuardTarget, now: number): void {
      const task = target.kind === 'task' ? target.path : null;
      const matter = target.kind === 'matter' ? target.path : target.matter;
      this.spent.push({ id, at: now, task, matter, senders: target.senders });
    }
    /** What left its day once has left it; of what lies in the future the newest is now, and the rest keeps its distance. */
    settle(now: number): void {
      const ahead = Math.max(0, ...this.spent.map((one) => one.at - now));
      for (const one of this.spent) if (one.at > now) one.at -= ahead;
      this.spent = this.spent.filter((one) => now - one.at < DAY);
    }
  }

  const target = fc.record({
    kind: fc.constantFrom('task' as const, 'matter' as const),
    path: fc.integer({ min: 0, max: 30 }).map((n) => `note/${n}.md`),
    matter: fc.constantFrom(null, 'matter/a.md', 'matter/b.md', 'matter/c.md'),
    senders: fc.uniqueArray(fc.constantFrom('mail:anna', 'mail:bob', 'bank'), { maxLength: 2 }),
    licensed: fc.boolean(),
  });
  const gap = fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 1500 }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 2 * HOUR }) },
    { weight: 1, arbitrary: fc.integer({ min: -2 * DAY, max: 2 * DAY }) },
  );
  const step = fc.record({ target, gap, give: fc.boolean() });

  test('it allows exactly what the brute-force model allows, and freeAt tells the truth', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 250, size: 'max' }), (steps) => {
        const slow = new Slow();
        let state = emptyGuard();
        let now = NOW;
        for (const { target, gap, give } of steps) {
          now += gap;
          slow.settle(now);
          const answer = reserve(state, target, now);
          expect(answer.ok).toBe(slow.allows(target, now));
          state = answer.state;
          if (answer.ok) {
            slow.take(answer.slot.id, target, now);
            if (give && gap % 3 === 0) {
              state = release(state, answer.slot.id);
              slow.spent = slow.spent.filter((one) => one.id !== answer.slot.id);
            }
          } else {
            expect(answer.freeAt).toBeGreaterThan(now);
            expect(answer.freeAt).toBeLessThanOrEqual(now + DAY);
            expect(reserve(state, target, answer.freeAt - 1).ok).toBe(false);
            expect(reserve(state, target, answer.freeAt).ok).toBe(true);
          }
          expect(state.entries.every((one, n) => n === 0 || (state.entries[n - 1]?.at ?? 0) <= one.at)).toBe(true);
        }
      }),
      { numRuns: lawRuns(60), endOnFailure: true }, // shrinking a run this long takes minutes
    );
  });

  test('a backoff ends within a day of any clock, and is never shortened', () => {
    fc.assert(
      fc.property(moment, moment, fc.option(fc.double()), fc.option(fc.double()), (then, now, first, second) => {
        const once = backoff(emptyGuard(), first, then);
        const until = backoffUntil(once, now);
        if (until !== null) expect(until - now).toBeLessThanOrEqual(DAY);
        const twice = backoffUntil(backoff(once, second, now), now) ?? 0;
        expect(twice).toBeGreaterThanOrEqual(until ?? 0);
      }),
    );
  });
});

/** A signal that passes every gate but discretion, whatever that is. */
const SURE: Witness = {
  ...{ source: 'mail', sender: 'mail', vouched: 'pass', server: 'mx.notary.example', writer: 'own' },
  ...{ evidence: ['link'], near: true, targetConfidence: 1, reading: 1, effectConfidence: 1, threshold: 0.8 },
  ...{ silence: null, endsMatter: false, warning: null, doubt: null },
};

describe('gates', () => {
  const thresholds = fc.record({ confidence: unit, highConfidence: unit });
  const SAID = ['record', 'propose', 'act'];

  test('more confidence never closes a gate, and never makes the judgement weaker', () => {
    fc.assert(
      fc.property(mode, unit, unit, thresholds, unit, (kind, a, b, limits, threshold) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const at = (figure: number) => {
          const one = { ...SURE, effectConfidence: figure, threshold };
          const gates = [
            ...signalGates(one, { ok: true, licence: null, sentence: 'trusted.' }, null),
            modeGate(kind, figure, limits),
          ];
          return SAID.indexOf(decideOutcome(kind, gates, ALLOWED));
        };
        expect(at(high)).toBeGreaterThanOrEqual(at(low));
      }),
    );
  });

  test('more observations never ask for more; the table’s figures are all there are', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), fc.option(unit), (a, b, own) => {
        const [few, many] = a < b ? [a, b] : [b, a];
        expect(discretionThreshold(many, own)).toBeLessThanOrEqual(discretionThreshold(few, own));
        expect(own === null ? DISCRETION_THRESHOLDS : [own]).toContain(discretionThreshold(a, own));
      }),
    );
  });

  test('nobody raises the ceiling, and everybody can lower it', () => {
    fc.assert(
      fc.property(mode, fc.option(mode), fc.option(mode), (ceiling, vault, caller) => {
        const ranks = [ceiling, vault, caller].filter((one) => one !== null).map((one) => RANK[one]);
        expect(RANK[effectiveMode(ceiling, vault, caller)]).toBe(Math.min(...ranks));
      }),
    );
  });

  test('shadow never acts', () => {
    fc.assert(
      fc.property(
        unit,
        thresholds,
        (figure, limits) => decideOutcome('shadow', [modeGate('live', figure, limits)], ALLOWED) === 'record',
      ),
    );
  });
});

describe('a signal alone', () => {
  const shut: Gate = { name: 'licence', held: false, figure: null, threshold: 0, sentence: 'licence: none.' };

  test('its confidence is the lesser of target and effect, and it is routed only where every gate holds', () => {
    fc.assert(
      fc.property(unit, unit, fc.boolean(), mode, (target_confidence, effect, isShut, kind) => {
        // What the note claims of its own effect counts for nothing: the speaker does.
        const note = fields({ target_confidence, effect_confidence: 1 });
        const { route, confidence } = routeAlone(note, effect, { mode: kind, thresholds: DEFAULT_THRESHOLDS }, () =>
          isShut ? [shut] : [],
        );
        expect(confidence).toBeCloseTo(Math.min(target_confidence, effect), 4);
        expect(route).toBe(!isShut && confidence >= ACTS_FROM[kind]);
      }),
      { numRuns: lawRuns() },
    );
  });

  test('ambiguous is never acted upon, however sure', () => {
    fc.assert(
      fc.property(unit, mode, (confidence, kind) => {
        const sure = { target_ambiguous: true, target_confidence: confidence };
        return !routeAlone(fields(sure), 1, { mode: kind, thresholds: DEFAULT_THRESHOLDS }, () => []).route;
      }),
    );
  });
});

describe('cadence', () => {
  const period = fc.integer({ min: 1000, max: 30 * DAY });
  const cadence = period.map((ms) => ({ kind: 'every', ms }) as const);

  test('nextFire is strictly later, within one period, at the phase, and the first of its kind', () => {
    fc.assert(
      fc.property(cadence, fc.integer(), moment, (every, phase, after) => {
        const next = nextFire(every, phase, after) ?? 0;
        expect(next).toBeGreaterThan(after);
        expect(next - after).toBeLessThanOrEqual(every.ms);
        expect((((next - phase) % every.ms) + every.ms) % every.ms).toBe(0);
        expect(nextFire(every, phase, next)).toBe(next + every.ms);
      }),
    );
  });

  test('cron is strictly later too', () => {
    const expression = fc.constantFrom('*/15 * * * *', '0 9 * * 1-5', '30 2 * * *', '*/20 * * * * *', '0 0 29 2 *');
    fc.assert(
      fc.property(expression, fc.integer({ min: NOW, max: NOW + 365 * DAY }), (expression, after) => {
        expect(nextFire({ kind: 'cron', expression }, 0, after)).toBeGreaterThan(after);
      }),
      { numRuns: lawRuns(50) },
    );
  });

  test('however the clock wanders within a week, no moment is ticked twice', () => {
    const wander = fc.array(fc.integer({ min: -HOUR * 5, max: HOUR * 6 }), { maxLength: 30 });
    fc.assert(
      fc.property(cadence, fc.nat(), wander, (every, phase, steps) => {
        let [now, last] = [NOW, null as number | null];
        const fired: number[] = [];
        for (const delta of steps) {
          now += delta;
          const { at, missed } = nextAfter(every, phase, last, now);
          expect(at).toBeGreaterThan(Math.max(now, last ?? now));
          if (missed) {
            fired.push(now);
            last = now;
          } else last ??= now;
        }
        expect(fired).toEqual([...new Set(fired)].toSorted((a, b) => a - b));
      }),
    );
  });

  test('a phase is stable and inside its period', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), period, (vault, slug, ms) => {
        const phase = schedulePhase({ vault, slug }, ms);
        expect(phase).toBe(schedulePhase({ vault, slug: slug.normalize('NFC') }, ms));
        expect(phase).toBeGreaterThanOrEqual(0);
        expect(phase).toBeLessThan(ms);
      }),
    );
  });

  test('an awake task is checked later than now, within 24 h, and more silence never means sooner', () => {
    const fields = fc.record({
      state: fc.constant('open' as const),
      surface_class: fc.constantFrom('high' as const, 'normal' as const), // `none` comes up only on a date of its own
      due: fc.option(moment.map(localTime)),
      snoozed_until: fc.constant(null),
      next_check_after: fc.constant(null),
    });
    fc.assert(
      fc.property(fields, fc.nat(100), fc.nat(100), moment, (task, a, b, now) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)];
        const at = (streak: number) => nextCheck(task, streak, now).at ?? 0;
        expect(at(less)).toBeGreaterThan(now);
        expect(at(more)).toBeGreaterThanOrEqual(at(less));
        expect(at(more) - now).toBeLessThanOrEqual(DAY);
      }),
    );
  });

  test('a matter’s period stays between its base and 4 h', () => {
    fc.assert(
      fc.property(period, fc.nat(1000), (base, streak) => {
        expect(matterPeriod(base, streak)).toBeGreaterThanOrEqual(base);
        expect(matterPeriod(base, streak)).toBeLessThanOrEqual(Math.max(base, 4 * HOUR));
      }),
    );
  });

  test('a local time is read back as it was written', () => {
    fc.assert(fc.property(moment, (ms) => parseLocalTime(localTime(ms)) === Math.floor(ms / 1000) * 1000));
  });
});

describe('rules', () => {
  const said = fc.constantFrom('gmail', 'bank', 'slack');
  const witness = fc.record({
    source: said,
    effectConfidence: strong,
    ageMs: fc.nat(200 * DAY),
    targetConfidence: unit,
  });
  const doneBy = (parts: readonly Partial<WeighedSignal>[]) => parts.map((part, n) => signal({ ...part, id: `s${n}` }));
  const confidence = (signals: readonly WeighedSignal[]) => weigh(question(signals)).confidence;

  test('a fresh signal by itself passes through', () => {
    fc.assert(
      fc.property(strong, unit, (effectConfidence, targetConfidence) => {
        const expected = Math.min(effectConfidence, targetConfidence);
        expect(confidence([signal({ effectConfidence, targetConfidence })])).toBeCloseTo(expected, 3);
      }),
    );
  });

  test('agreement never lowers, and the order of the signals says nothing', () => {
    fc.assert(
      fc.property(fc.array(witness, { minLength: 1, maxLength: 6 }), witness, unit, (witnesses, more, target) => {
        const sure = [...witnesses, more].map((one) => ({ ...one, targetConfidence: target }));
        expect(confidence(doneBy(sure)) + 1e-9).toBeGreaterThanOrEqual(confidence(doneBy(sure.slice(0, -1))));
        const mixed = doneBy([...witnesses, more]);
        const best = Math.max(...mixed.map((one) => confidence([one])));
        expect(confidence(mixed) + 1e-9).toBeGreaterThanOrEqual(best);
        expect(confidence(mixed.toReversed())).toBeCloseTo(confidence(mixed), 3);
      }),
    );
  });

  test('contradiction never raises, and leaves each value as a change of its own', () => {
    fc.assert(
      fc.property(fc.array(witness, { minLength: 1, maxLength: 5 }), witness, (witnesses, dissent) => {
        const agreed = doneBy(witnesses);
        const proposal = { class: 'state_change' as const, set: { state: 'open' }, add: {}, remove: {} };
        const other = signal({ ...dissent, id: 'dissent', proposal });
        const answer = weigh(question([...agreed, other]));
        expect(answer.changes.map(({ value }) => value).toSorted()).toEqual(['done', 'open']);
        expect(answer.confidence).toBeLessThanOrEqual(Math.min(confidence(agreed), confidence([other])) + 1e-9);
      }),
    );
  });

  test('every figure stays between 0 and 1', () => {
    fc.assert(
      fc.property(fc.array(witness, { maxLength: 8 }), (witnesses) => {
        const { confidence, source_contributions } = weigh(question(doneBy(witnesses)));
        for (const figure of [confidence, ...Object.values(source_contributions)]) {
          expect(figure).toBeGreaterThanOrEqual(0);
          expect(figure).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe('permit', () => {
  const MAY: Record<MutationClass, readonly string[]> = {
    state_change: ['state', 'status', 'completedDate'],
    context_edit: ['summary', 'description', 'owner', 'due', 'blocked_on', 'current_state', 'budget'],
    parent_matter: ['parent_matter'],
    related: ['related_orgs', 'related_projects', 'related_to'],
  };
  const field = fc.constantFrom(
    ...Object.values(MAY).flat(),
    ...[
      'type',
      'tags',
      'Tags',
      'id',
      'pinned',
      'steward',
      'discretion_threshold',
      'title',
      '__proto__',
      'constructor',
      '',
    ],
  );
  const value: fc.Arbitrary<Yaml> = fc.oneof(
    fc.constantFrom<Yaml>('done', 'open', 'snoozed', 'archived', '[[house]]', '[[anna]]', '2026-12-01', [
      '[[anna]]',
      'bob',
    ]),
    fc.string(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.string(), { maxLength: 3 }),
  );
  const change: fc.Arbitrary<FieldChange> = fc.record({ field, op: fc.constantFrom('set', 'add', 'remove'), value });
  const note = fc.record({
    kind: fc.constantFrom('task' as const, 'matter' as const),
    state: fc.constantFrom(...STATES),
    stateField: fc.constantFrom('state' as const, 'status' as const),
    fields: fc.dictionary(field, value),
    editable: fc.constant(['budget', 'tags', 'type']),
    protectedFields: fc.constantFrom([], ['due'], ['state', 'status']),
  });

  test('what is written stays within its classes, is never protected, and is exactly what the changes show', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), note, (changes, parts) => {
        const answer = permit(changes, context(parts));
        if (!answer.ok) {
          expect(answer.reason.length).toBeGreaterThan(5);
          return;
        }
        const asked = changes.map((one) => classifyChanges([one]));
        for (const edit of answer.edits) {
          expect(asked.flatMap((name) => MAY[name])).toContain(edit.field);
          expect(parts.protectedFields).not.toContain(edit.field);
        }
        expect(new Set(answer.edits.map((edit) => edit.field))).toEqual(new Set(Object.keys(answer.changes)));
        for (const { before, after } of Object.values(answer.changes)) {
          expect(JSON.stringify(after)).not.toBe(JSON.stringify(before));
        }
      }),
      { numRuns: lawRuns() },
    );
  });

  test('a change of one class writes nothing of another', () => {
    fc.assert(
      fc.property(change, note, (one, parts) => {
        const answer = permit([one], context(parts));
        if (!answer.ok) return;
        for (const edit of answer.edits) expect(MAY[classifyChanges([one])]).toContain(edit.field);
      }),
      { numRuns: lawRuns() },
    );
  });

  test('one forbidden part refuses the whole', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), note, fc.nat(4), (changes, parts, at) => {
        const forbidden: FieldChange = { field: 'tags', op: 'set', value: 'x' };
        expect(permit(changes.toSpliced(at, 0, forbidden), context(parts)).ok).toBe(false);
      }),
    );
  });

  test('what was permitted, once written, is no change', () => {
    fc.assert(
      fc.property(change, note, (one, parts) => {
        const answer = permit([one], context(parts));
        if (!answer.ok || answer.edits.length === 0 || classifyChanges([one]) === 'state_change') return;
        const after = Object.entries(answer.changes).map(([name, change]) => [name, change.after] as const);
        const again = permit([one], context({ ...parts, fields: { ...parts.fields, ...Object.fromEntries(after) } }));
        expect(again).toMatchObject({ ok: true, edits: [] });
      }),
      { numRuns: lawRuns() },
    );
  });

  test('reopening always needs a person', () => {
    fc.assert(
      fc.property(note, (parts) => {
        const answer = permit([{ field: 'state', op: 'set', value: 'open' }], context(parts));
        if (answer.ok) expect(answer.needsPerson).toBe(parts.state === 'done' || parts.state === 'archived');
      }),
    );
  });
});

describe('instinct', () => {
  const happening = fc.oneof(
    fc.constant((one: instinct.Instinct) => instinct.afterRight(one)),
    fc.constant((one: instinct.Instinct) => instinct.afterReversal(one, NOW)),
    fc.constant((one: instinct.Instinct) => instinct.afterWrongOutcome(one, NOW)),
    fc
      .double({ min: -1, max: 1, noNaN: true })
      .map((moved) => (one: instinct.Instinct) => instinct.afterPatterns(one, moved)),
    fc
      .record({ prior: fc.option(unit), confidence: fc.option(unit), pinned: fc.boolean() })
      .map((edit) => (one: instinct.Instinct) => instinct.afterEdit(one, edit)),
  );

  test('confidence stays within 0 and 1 whatever happens; what is pinned is never pruned', () => {
    fc.assert(
      fc.property(fc.constantFrom(...instinct.PRIORS.keys()), fc.array(happening, { maxLength: 60 }), (source, all) => {
        let one = instinct.initialInstinct(source);
        for (const happen of all) {
          const before = one;
          one = happen(one);
          expect(one.confidence).toBeGreaterThanOrEqual(0);
          expect(one.confidence).toBeLessThanOrEqual(1);
          expect(one.observations).toBeGreaterThanOrEqual(before.observations);
          expect(one.wrong).toBeGreaterThanOrEqual(before.wrong);
          if (one.pinned) expect(one.status).not.toBe('pruned');
        }
      }),
    );
  });

  test('a right outcome draws the confidence towards 1 and never past it', () => {
    fc.assert(
      fc.property(unit, (confidence) => {
        const after = instinct.afterRight({ ...instinct.initialInstinct('mail'), confidence }).confidence;
        expect(after).toBeGreaterThanOrEqual(confidence - 1e-4);
        expect(after).toBeLessThanOrEqual(1);
      }),
    );
  });

  const lesson = fc.constantFrom(
    (one: instinct.Instinct) => instinct.afterRight(one),
    (one: instinct.Instinct) => instinct.afterWrongOutcome(one, NOW),
    (one: instinct.Instinct) => instinct.afterReversal(one, NOW),
  );

  test('undoing the lessons, the last one first, leaves every figure as it was', () => {
    fc.assert(
      fc.property(unit, fc.array(lesson, { maxLength: 20 }), (figure, all) => {
        const confidence = Math.round(figure * 10_000) / 10_000;
        const start = { ...instinct.initialInstinct('mail'), confidence };
        let one: instinct.Instinct = start;
        const lives = [one, ...all.map((teach) => (one = teach(one)))];
        for (const [nth, before] of [...lives.entries()].reverse().slice(1)) {
          one = instinct.withoutLesson(one, instinct.movedFrom(before, lives[nth + 1] ?? before));
          expect(one).toEqual(before);
        }
      }),
      { numRuns: lawRuns() },
    );
  });

  test('undoing the lessons in any order gives back every count', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(lesson, fc.integer()), { maxLength: 20 }), (all) => {
        const start = instinct.initialInstinct('mail');
        let one: instinct.Instinct = start;
        const moves = all.map(([teach, order]) => {
          const before = one;
          one = teach(before);
          return { order, moved: instinct.movedFrom(before, one) };
        });
        for (const { moved } of moves.toSorted((a, b) => a.order - b.order)) one = instinct.withoutLesson(one, moved);
        const { observations, wrong, reversals } = one;
        expect({ observations, wrong, reversals }).toEqual({ observations: 0, wrong: 0, reversals: 0 });
      }),
      { numRuns: lawRuns() },
    );
  });

  test('without right outcomes no row of happenings ever lifts a source above where it was', () => {
    const wrong = fc.constantFrom(
      (one: instinct.Instinct) => instinct.afterReversal(one, NOW),
      (one: instinct.Instinct) => instinct.afterWrongOutcome(one, NOW),
    );
    fc.assert(
      fc.property(fc.array(wrong, { minLength: 5, maxLength: 40 }), (all) => {
        const end = all.reduce((one, happen) => happen(one), instinct.initialInstinct('mail'));
        expect(end).toMatchObject({ status: 'pruned', pinned: false, observations: 0 });
        expect(end.confidence).toBeLessThan(0.9);
      }),
    );
  });
});
