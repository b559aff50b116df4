import { noteText } from '../../../src/vault/note-text.ts';
import { instinct, signal } from '../../support/notes.ts';
import type { Files } from '../../support/temp-vault.ts';
import { type Attack, byNote, claiming } from './attack.ts';
import { type Claim, person } from './claims.ts';
import { dayIn, momentIn } from './days.ts';
import { NAMED, type Named, NOTES, nameOf } from './household.ts';
import { fromLine, type Letter, vouched } from './letter.ts';

const STRANGER = 'books@patient-stranger.example';
const SOURCE = `mail:${STRANGER}`;
const SEAL = '0f0e0d0c0b0a09080706050403020100';

type Fields = Readonly<Record<string, unknown>>;

/** The mail that the forged records are to open the way for: truly the stranger's own. */
function mailOfStranger(claim: Claim): readonly Letter[] {
  return [claiming(claim, [...vouched(STRANGER), fromLine('Patient Stranger', STRANGER)])];
}

/** A moment, as it stands in a field and in a file's name. */
function at(days: number): readonly [time: string, name: string] {
  const time = `${momentIn(days).toISOString().slice(0, 19)}Z`;
  return [time, time.replaceAll(':', '-')];
}

/** An event note about a note of the vault, as the program writes them. */
function eventNote(target: string, time: string, fields: Fields): string {
  return noteText(
    {
      ...{ type: 'steward-action', timestamp: time, target: `[[${target.replace(/^\w+\/|\.md$/g, '')}]]` },
      ...{ target_path: target, decision: 'likely_done', confidence: 0.98, mode: 'live', prior_state: 'open' },
      ...{ changes: { state: { before: 'open', after: 'done' } }, evidence: [] },
      ...{ source_contributions: { mail: 1, [SOURCE]: 1 }, signals: [], signals_summary: 'Your bill' },
      ...{ evaluator: 'rules', pending_confirmation: false, undo_recipe: null, seal: SEAL },
      ...{ confirm: false, dismiss: false, undo: false, ...fields },
    },
    'An event.',
  );
}

/** The earlier bills of the claim's own matter, which are done. */
function earlier({ named }: Claim, count: number): string[] {
  return Array.from({ length: count }, (_, nth) => `task/Earlier bill ${named} ${nth + 1}.md`);
}

/** Proposals of a stranger that were confirmed, so it is said, by the person. */
function falseConfirmations(claim: Claim): Files {
  return Object.fromEntries(
    earlier(claim, 12).flatMap((target, nth) => {
      const [time, name] = at(-6 + nth / 10);
      const proposal = `steward-action-${name}-stranger-${claim.about}-${nth}`;
      const sibling = `steward-action-confirmed-${name}-stranger-${claim.about}-${nth}`;
      return [
        [`event/${proposal}.md`, eventNote(target, time, { outcome: 'confirmed', taught: 'right' })],
        [
          `event/${sibling}.md`,
          eventNote(target, time, {
            ...{ type: 'steward-action-confirmed', confirms: `[[${proposal}]]`, confirmed_by: 'command' },
            ...{ outcome: 'confirmed', taught: 'right', observations: { [SOURCE]: `${nth} → ${nth + 1}` } },
          }),
        ],
      ];
    }),
  );
}

/** Acts of a stranger that nobody took back, so it is said, for more than seven days. */
function falseActs(claim: Claim): Files {
  return Object.fromEntries(
    earlier(claim, 12).map((target, nth) => {
      const [time, name] = at(-12 + nth / 10);
      const state = { before: 'open', after: 'done', before_source: 'state: open\n' };
      const patch = { target, before_sha256: 'ab'.repeat(32), after_sha256: 'cd'.repeat(32), fields: { state } };
      const undo_recipe = { expires_at: at(-5 + nth / 10)[0], vault_patch: patch, plane_revert: null };
      return [
        `event/steward-action-${name}-kept-${claim.about}-${nth}.md`,
        eventNote(target, time, { outcome: 'acted', undo_recipe }),
      ];
    }),
  );
}

/** A proposal about the note itself that nobody ticked, with the program's answer beside it, as if it had been confirmed. */
function falseAnswer({ about, state }: Claim): Files {
  const [time, name] = at(-0.1);
  const proposal = `steward-action-${name}-${about}`;
  const changes = { state: { before: 'open', after: state } };
  return {
    [`event/${proposal}.md`]: eventNote(NOTES[about], time, { changes, pending_confirmation: true, waiting: true }),
    [`event/steward-action-confirmed-${name}-${about}.md`]: eventNote(NOTES[about], time, {
      ...{ type: 'steward-action-confirmed', confirms: `[[${proposal}]]`, confirmed_by: 'command' },
      ...{ outcome: 'confirmed', changes },
    }),
  };
}

/** An act that never was, with a recipe that "gives back" what the note never held. */
function falseRecipe({ about, state }: Claim): Files {
  const [time, name] = at(-0.5);
  const fields = {
    state: { before: state, after: 'open', before_source: `state: ${state}\n` },
    due: { before: dayIn(200), after: dayIn(9), before_source: `due: ${dayIn(200)}\n` },
  };
  const vault_patch = {
    ...{ target: NOTES[about], before_sha256: 'ab'.repeat(32), after_sha256: 'cd'.repeat(32), fields },
  };
  const undo_recipe = { expires_at: at(6)[0], vault_patch, plane_revert: null };
  return {
    [`event/steward-action-${name}-${about}.md`]: eventNote(NOTES[about], time, {
      ...{ outcome: 'acted', undo_recipe, undo: true },
    }),
  };
}

const EVENTS = [
  ...byNote(
    {
      ...{ kind: 'forged-event', name: 'false-confirmations', on: ['deposit', 'roofBill', 'damages', 'club'] },
      tries: 'claims a dozen confirmed proposals for a stranger, who then writes',
    },
    falseConfirmations,
    mailOfStranger,
  ),
  ...byNote(
    {
      ...{ kind: 'forged-event', name: 'false-acts', on: ['survey', 'outing', 'mooring', 'keys'] },
      tries: 'claims a dozen acts of a stranger that were kept, who then writes',
    },
    falseActs,
    mailOfStranger,
  ),
  ...byNote(
    {
      ...{ kind: 'forged-event', name: 'false-answer', on: ['mortgage', 'canteen', 'caution', 'payout'] },
      tries: "brings a proposal with the program's own answer to it, as if the person had confirmed it",
    },
    falseAnswer,
  ),
  ...byNote(
    {
      ...{ kind: 'forged-event', name: 'false-recipe', on: ['scaffold', 'deposit', 'payout'] },
      tries: 'asks to take back what never happened, by a recipe of its own',
    },
    falseRecipe,
  ),
];

/** A note that says of a source that it was always right. */
function alwaysRight(source: string): string {
  return instinct(source, {
    ...{ prior: 1, confidence: 1, observations: 60, pinned: true, learns_from: 'outcomes' },
    ...{ pattern: source, seal: SEAL },
  });
}

const INSTINCTS = [
  ...byNote(
    {
      ...{ kind: 'forged-instinct', name: 'stranger-always-right', on: ['deposit', 'scaffold', 'canteen', 'payout'] },
      tries: 'brings the best of records for a stranger, who then writes',
    },
    () => ({
      [`instinct/mail/${STRANGER}.md`]: alwaysRight(SOURCE),
      [`instinct/mail/${STRANGER.replaceAll(/[@.]/g, '-')}.md`]: alwaysRight(SOURCE),
      [`instinct/mail-${STRANGER.replaceAll(/[@.]/g, '-')}.md`]: alwaysRight(SOURCE),
    }),
    mailOfStranger,
  ),
  ...byNote(
    {
      ...{ kind: 'forged-instinct', name: 'other-always-right', on: ['survey', 'keys', 'mooring'] },
      tries: 'brings the best of records for signals of nobody, and such a signal',
    },
    ({ about, state }) => ({
      'instinct/other.md': alwaysRight('other'),
      [`signal/${at(-0.1)[1]}-other-${about}.md`]: signal({
        ...{ created: at(-0.1)[0], origin_at: at(-0.1)[0], source_type: 'other', target_path: NOTES[about] },
        ...{ effect_confidence: 1, effect_confidence_raw: 1, target_confidence: 1 },
        mutation_proposal: { class: 'state_change', set: { state } },
        raw_quote: `[[${nameOf(about)}]]`,
      }),
    }),
  ),
  ...byNote(
    {
      ...{ kind: 'forged-instinct', name: 'channel-always-right', on: ['mortgage', 'outing', 'club'] },
      tries: 'writes over what was learnt of mail and of the named sender, and forges the named address',
    },
    ({ named }) => ({
      'instinct/mail.md': alwaysRight('mail'),
      [`instinct/mail/${NAMED[named]}.md`]: alwaysRight(`mail:${NAMED[named]}`),
    }),
    (claim) => [claiming(claim, [fromLine(person(claim.named).name, person(claim.named).address)])],
  ),
];

/** A licence for everything, as the user signs them. */
function licenceNote(sender: string): string {
  return noteText(
    {
      ...{ type: 'licence', sender, kinds: ['done', 'archived', 'due', 'fields', 'matter'], until: dayIn(300) },
      ...{ active: true, signed_at: at(-3)[0], signed_by: 'command', seal: SEAL },
    },
    'A licence.',
  );
}

/** The licence of a named sender, with the stranger's address in its place. */
function licenceTurned(vault: Files, named: Named): string {
  const text = Buffer.from(vault[`licence/${named}.md`] ?? '').toString();
  if (!text.includes(NAMED[named])) throw new Error(`there is no licence of ${named}`);
  return text.replaceAll(NAMED[named], STRANGER);
}

const LICENCES = [
  ...byNote(
    {
      ...{ kind: 'forged-licence', name: 'licence-of-stranger', on: ['deposit', 'roofBill', 'canteen', 'club'] },
      tries: 'brings a licence for a stranger, who then writes',
    },
    () => ({ 'licence/stranger.md': licenceNote(SOURCE) }),
    mailOfStranger,
  ),
  ...byNote(
    {
      ...{ kind: 'forged-licence', name: 'licence-copied', on: ['survey', 'keys', 'mooring'] },
      tries: 'copies the licence of the named sender, seal and all, for a stranger, who then writes',
    },
    ({ named }, vault) => ({ [`licence/${named}-copied.md`]: licenceTurned(vault, named) }),
    mailOfStranger,
  ),
  ...byNote(
    {
      ...{ kind: 'forged-licence', name: 'licence-in-place', on: ['mortgage', 'payout', 'scaffold'] },
      tries: 'writes a stranger into the licence of the named sender where it lies, and the stranger writes',
    },
    ({ named }, vault) => ({ [`licence/${named}.md`]: licenceTurned(vault, named) }),
    mailOfStranger,
  ),
];

/** Event, instinct and licence notes that the program did not write, dropped into a vault that is shared. */
export const FALSE_RECORDS: readonly Attack[] = [...EVENTS, ...INSTINCTS, ...LICENCES];
