import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { weigh } from '../../src/model/evaluators.ts';
import { permit } from '../../src/steward/changes.ts';
import { backoff, backoffUntil, emptyGuard, type GuardTarget, release, reserve } from '../../src/steward/gates.ts';
import { routeAlone } from '../../src/steward/gates-freshness-gate.ts';
import {
  DEFAULT_THRESHOLDS,
  discretionGate,
  discretionThreshold,
  judge,
  modeGate,
} from '../../src/steward/gates-gate.ts';
import { effectiveMode, type Mode } from '../../src/steward/gates-rounding.ts';
import * as instinct from '../../src/steward/learning.ts';
import { parseLocalTime } from '../../src/steward/local-time.ts';
import type { WeighedSignal } from '../../src/steward/ports/evaluator.ts';
import { classOf } from '../../src/steward/ports/mutation-class.ts';
import { nextAfter, nextFire, phaseOf } from '../../src/steward/schedule.ts';
import { matterPeriod, nextCheck } from '../../src/steward/schedule-cadence.ts';
import type { MutationClass } from '../../src/vault/records/mutation-class.ts';
import { STATES, type Yaml } from '../../src/vault/records/values.ts';
import type { FieldChange } from '../../src/vault/records.ts';
import { localTime } from '../../src/vault/time.ts';
import { context, DAY, fields, HOUR, MINUTE, NOW, question, signal } from '../steward/samples.ts';
import { ACTS_FROM, DISCRETION_THRESHOLDS } from '../support/gates.ts';
import { lawRuns } from '../support/laws.ts';

const unit = fc.double({ min: 0, max: 1, noNaN: true });
const strong = fc.double({ min: 0.01, max: 1, noNaN: true });
const mode = fc.constantFrom<Mode>('shadow', 'live_high_confidence_only', 'live');
const RANK = { shadow: 0, live_high_confidence_only: 1, live: 2 };
const moment = fc.integer({ min: NOW - 4000 * DAY, max: NOW + 4000 * DAY });

describe('rate guard', () => {
  /** The rules written down a second time, as slowly as can be. */
  class Slow {
    spent: { id: number; at: number; task: string | null; matter: string | null }[] = [];
    allows(target: GuardTarget, now: number): boolean {
      const within = (ms: number) => this.spent.filter((one) => now - one.at < ms);
      const task = within(DAY).filter((one) => target.kind === 'task' && one.task === target.path);
      const matter = target.kind === 'matter' ? target.path : target.matter;
      const ofMatter = within(DAY).filter((one) => matter !== null && one.matter === matter);
      const shared = within(MINUTE).length < 60 && within(HOUR).length < 600 && within(DAY).length < 6000;
      return shared && task.length < 6 && ofMatter.length < 50;
    }
    take(id: number, target: GuardTarget, now: number): void {
      const task = target.kind === 'task' ? target.path : null;
      this.spent.push({ id, at: now, task, matter: target.kind === 'matter' ? target.path : target.matter });
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
    asksModel: fc.boolean(),
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
            slow.take(answer.id, target, now);
            if (give && gap % 3 === 0) {
              state = release(state, answer.id);
              slow.spent = slow.spent.filter((one) => one.id !== answer.id);
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

describe('gates', () => {
  const thresholds = fc.record({ confidence: unit, highConfidence: unit });
  const SAID = ['record', 'propose', 'act'];

  test('more confidence never closes a gate, and never makes the judgement weaker', () => {
    fc.assert(
      fc.property(mode, unit, unit, thresholds, unit, (kind, a, b, limits, threshold) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        const at = (figure: number) => {
          const gates = [
            modeGate(kind, figure, limits),
            discretionGate([{ source: 'mail', effectConfidence: figure }], () => threshold),
          ];
          return SAID.indexOf(judge(kind, gates));
        };
        expect(at(high)).toBeGreaterThanOrEqual(at(low));
      }),
    );
  });

  test('one more signal never closes discretion', () => {
    const contributing = fc.record({ source: fc.constantFrom('mail', 'bank'), effectConfidence: unit });
    fc.assert(
      fc.property(fc.array(contributing), contributing, unit, unit, (signals, more, mail, bank) => {
        const thresholdOf = (source: string) => (source === 'mail' ? mail : bank);
        if (!discretionGate(signals, thresholdOf).held) return;
        expect(discretionGate([...signals, more], thresholdOf).held).toBe(true);
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
        (figure, limits) => judge('shadow', [modeGate('live', figure, limits)]) === 'record',
      ),
    );
  });
});

describe('a signal alone', () => {
  test('its confidence is the lesser of target and effect, and it is routed only where both gates hold', () => {
    fc.assert(
      fc.property(unit, unit, unit, mode, (target_confidence, effect_confidence, discretion, kind) => {
        const gates = { mode: kind, thresholds: DEFAULT_THRESHOLDS, discretion, standing: [] };
        // What the note claims of its own effect counts for nothing: the speaker does.
        const note = fields({ target_confidence, effect_confidence: 1 });
        const speaker = { source: 'mail', effectConfidence: effect_confidence };
        const { route, confidence } = routeAlone(note, speaker, gates);
        expect(confidence).toBeCloseTo(Math.min(target_confidence, effect_confidence), 4);
        const own = discretionGate([speaker], () => discretion);
        expect(route).toBe(own.held && confidence >= ACTS_FROM[kind]);
      }),
      { numRuns: lawRuns() },
    );
  });

  test('ambiguous is never acted upon, however sure', () => {
    fc.assert(
      fc.property(unit, unit, mode, (discretion, confidence, kind) => {
        const sure = { target_ambiguous: true, target_confidence: confidence };
        const gates = { mode: kind, thresholds: DEFAULT_THRESHOLDS, discretion, standing: [] };
        return !routeAlone(fields(sure), { source: 'mail', effectConfidence: 1 }, gates).route;
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
      fc.property(fc.string(), period, (slug, ms) => {
        expect(phaseOf(slug, ms)).toBe(phaseOf(slug.normalize('NFC'), ms));
        expect(phaseOf(slug, ms)).toBeGreaterThanOrEqual(0);
        expect(phaseOf(slug, ms)).toBeLessThan(ms);
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

  test('contradiction never raises, and changes nothing', () => {
    fc.assert(
      fc.property(fc.array(witness, { minLength: 1, maxLength: 5 }), witness, (witnesses, dissent) => {
        const agreed = doneBy(witnesses);
        const proposal = { class: 'state_change' as const, set: { state: 'open' }, add: {}, remove: {} };
        const other = signal({ ...dissent, id: 'dissent', proposal });
        const answer = weigh(question([...agreed, other]));
        expect(answer).toMatchObject({ decision: 'needs_input', changes: [] });
        expect(answer.confidence).toBeLessThanOrEqual(Math.max(confidence(agreed), confidence([other])) + 1e-9);
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
        const asked = changes.map((one) => classOf([one]));
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
        for (const edit of answer.edits) expect(MAY[classOf([one])]).toContain(edit.field);
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
        if (!answer.ok || answer.edits.length === 0 || classOf([one]) === 'state_change') return;
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
    unit.map((share) => (one: instinct.Instinct) => instinct.afterRight(one, share)),
    fc.constant((one: instinct.Instinct) => instinct.afterReversal(one, NOW)),
    fc.constant((one: instinct.Instinct) => instinct.afterDismissal(one, NOW)),
    fc.constant((one: instinct.Instinct) => instinct.afterContradiction(one, NOW)),
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

  test('a right outcome draws the confidence towards its share and never past it', () => {
    fc.assert(
      fc.property(unit, unit, (confidence, share) => {
        const start = { ...instinct.initialInstinct('mail'), confidence };
        const after = instinct.afterRight(start, share).confidence;
        expect(after).toBeGreaterThanOrEqual(Math.min(confidence, share) - 1e-4);
        expect(after).toBeLessThanOrEqual(Math.max(confidence, share) + 1e-4);
      }),
    );
  });

  test('a wrong outcome never raises it, and one taken back and given back leaves it as it was', () => {
    fc.assert(
      fc.property(unit, (figure) => {
        const start = { ...instinct.initialInstinct('mail'), confidence: Math.round(figure * 10_000) / 10_000 };
        const after = instinct.afterReversal(start, NOW);
        expect(after.confidence).toBeLessThanOrEqual(start.confidence);
        expect(instinct.afterReversalUndone(after, start.confidence).confidence).toBe(start.confidence);
      }),
    );
  });

  test('without right outcomes no row of happenings ever lifts a source above where it was', () => {
    const wrong = fc.constantFrom(
      (one: instinct.Instinct) => instinct.afterReversal(one, NOW),
      (one: instinct.Instinct) => instinct.afterDismissal(one, NOW),
      (one: instinct.Instinct) => instinct.afterContradiction(one, NOW),
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
