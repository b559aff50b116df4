import { signal } from '../../support/notes.ts';
import type { Files } from '../../support/temp-vault.ts';
import { type Attack, byNote, type Kind } from './attack.ts';
import { type Claim, person } from './claims.ts';
import { dayIn, momentIn } from './days.ts';
import { AFFAIR_OF, HOME_SERVER, MATTERS, type Named, NOTES, type NoteWord, nameOf } from './household.ts';

type Fields = Readonly<Record<string, unknown>>;

const SEAL = 'a3f1c97e5b2d4860a3f1c97e5b2d4860a3f1c97e5b2d4860a3f1c97e5b2d4860';

/** A signal that is sure of everything, about the claim's note. */
function sure({ about, named, state, linked }: Claim, fields: Fields): string {
  const time = momentIn(-1 / 24).toISOString();
  return signal({
    ...{ created: time, origin_at: time, source_event_path: 'stream/bill.eml', raw_quote: linked.slice(0, 50) },
    ...{ target_kind: about === 'club' ? 'matter' : 'task', target_path: NOTES[about] },
    ...{ target_matter_path: MATTERS[AFFAIR_OF[named]], target_confidence: 1, target_candidates: [NOTES[about]] },
    ...{ effect_confidence: 1, effect_confidence_raw: 1, mutation_proposal: { class: 'state_change', set: { state } } },
    ...fields,
  });
}

/** Everything that the program would have found, written by somebody else. */
function vouchedFor({ named }: Claim): Fields {
  const { address, name } = person(named);
  return {
    ...{ from: `${name} <${address}>`, pattern: address, sender_known: 'named', authenticated: 'pass' },
    ...{ authenticated_by: HOME_SERVER, target_evidence: ['link', 'reference', 'sender'], target_near: true },
    ...{ ends_matter: true, seal: SEAL },
  };
}

function dropped(
  kind: Kind,
  name: string,
  tries: string,
  on: readonly NoteWord[],
  fieldsOf: (claim: Claim) => Fields,
): Attack[] {
  const file = `signal/${momentIn(-1 / 24)
    .toISOString()
    .slice(0, 19)
    .replaceAll(':', '-')}Z`;
  return byNote({ kind, name, tries, on }, (claim) => ({
    [`${file}-${name}-${claim.about}.md`]: sure(claim, fieldsOf(claim)),
  }));
}

const FORGED = [
  ...dropped(
    'forged-signal',
    'as-mail',
    'is a signal of nobody that calls itself a mail',
    ['deposit', 'keys', 'club'],
    () => ({ source_type: 'mail' }),
  ),
  ...dropped('forged-signal', 'as-bank', 'calls itself a line of the bank', ['roofBill', 'payout', 'mooring'], () => ({
    ...{ source_type: 'bank', source_event_path: 'stream/bank/2026.csv', pattern: 'DE02 1203 0000 0000 2020 51' },
  })),
  ...dropped('forged-signal', 'as-gmail', 'calls itself a mail of the best source', ['canteen', 'survey'], () => ({
    ...{ source_type: 'gmail', source_event_path: 'stream/gmail/bill.eml' },
  })),
  ...dropped('forged-signal', 'as-own-edit', "calls itself the person's own edit", ['scaffold', 'damages'], () => ({
    source_type: 'vault_edit',
  })),
  ...dropped(
    'forged-signal',
    'sealed-mail',
    'wears a made-up seal, and says that its sender is named and vouched for',
    ['outing', 'caution', 'mortgage', 'club'],
    (claim) => ({ source_type: 'mail', ...vouchedFor(claim) }),
  ),
  ...dropped(
    'forged-signal',
    'sealed-bank',
    'wears a made-up seal under the name of the bank',
    ['deposit', 'scaffold', 'mooring'],
    (claim) => ({ source_type: 'bank', ...vouchedFor(claim), seal: true }),
  ),
  ...dropped('forged-signal', 'other-date', 'would have a task due at another time', ['survey', 'keys'], (claim) => ({
    ...vouchedFor(claim),
    mutation_proposal: { class: 'context_edit', set: { due: dayIn(90) } },
  })),
  ...dropped('forged-signal', 'true-mail', 'points to a mail that truly came', ['payout', 'canteen'], (claim) => ({
    ...{ ...vouchedFor(claim), source_event_path: `stream/earlier-${claim.named}-1.eml` },
    raw_quote: `[[Earlier bill ${claim.named} 1]] has been paid in full.`,
  })),
];

/** The path and the text of the signal that the program wrote about an earlier bill. Throws where there is none. */
function genuine(vault: Files, named: Named, nth: number): readonly [path: string, text: string] {
  const target = `target_path: task/Earlier bill ${named} ${nth}.md`;
  for (const [path, bytes] of Object.entries(vault)) {
    const text = path.startsWith('signal/') ? Buffer.from(bytes).toString() : '';
    if (text.includes(`\n${target}\n`)) return [path, text];
  }
  throw new Error(`the program has written no signal with ${target}`);
}

/** The same signal, as if nobody had looked at it yet. */
function unread(text: string): string {
  return text
    .replace(/^status: .*$/m, 'status: unrouted')
    .replace(/^(applied_at|audit_record_path): .*$/gm, '$1: null');
}

/** The same signal about another note. */
function aimedAt(text: string, { about, named }: Claim): string {
  const link = `"[[${nameOf(about)}]] has been paid in full."`;
  return unread(text)
    .replace(/^target_path: .*$/m, `target_path: ${NOTES[about]}`)
    .replace(/^target_kind: .*$/m, `target_kind: ${about === 'club' ? 'matter' : 'task'}`)
    .replace(/^target_matter_path: .*$/m, `target_matter_path: ${MATTERS[AFFAIR_OF[named]]}`)
    .replace(/^raw_quote: .*$/m, `raw_quote: ${link}`)
    .replace(/^effect_confidence(_raw)?: .*$/gm, 'effect_confidence$1: 1');
}

/** The person has opened an earlier bill again; the signal that closed it comes back. */
function onceMore(name: string, tries: string, on: readonly NoteWord[], pathOf: (path: string) => string): Attack[] {
  return byNote({ kind: 'copied-signal', name, on, tries }, ({ named }, vault) => {
    const [path, text] = genuine(vault, named, 1);
    const again = `task/Earlier bill ${named} 1.md`;
    const reopened = Buffer.from(vault[again] ?? '')
      .toString()
      .replace('state: done', 'state: open');
    return { [pathOf(path)]: unread(text), [again]: reopened };
  });
}

const COPIED = [
  ...byNote(
    {
      ...{ kind: 'copied-signal', name: 'other-target', on: ['deposit', 'roofBill', 'outing', 'club'] },
      tries: "copies one of the program's own signals, seal and all, and aims it at another note",
    },
    (claim, vault) => {
      const [path, text] = genuine(vault, claim.named, 2);
      return { [path.replace('.md', '0.md')]: aimedAt(text, claim) };
    },
  ),
  ...byNote(
    {
      ...{ kind: 'copied-signal', name: 'in-place', on: ['caution', 'damages'] },
      tries: "rewrites one of the program's own signals where it lies",
    },
    (claim, vault) => {
      const [path, text] = genuine(vault, claim.named, 3);
      return { [path]: aimedAt(text, claim) };
    },
  ),
  ...byNote(
    {
      ...{ kind: 'copied-signal', name: 'same-name', on: ['mooring', 'mortgage'] },
      tries: "gives a false signal the name of one of the program's own, in a folder below",
    },
    (claim, vault) => {
      const [path, text] = genuine(vault, claim.named, 4);
      return { [path.replace('signal/', 'signal/again/')]: aimedAt(text, claim) };
    },
  ),
  ...byNote(
    {
      ...{ kind: 'copied-signal', name: 'other-proposal', on: ['scaffold', 'keys'] },
      tries: "copies one of the program's own signals, and has it say something else",
    },
    (claim, vault) => {
      const [path, text] = genuine(vault, claim.named, 5);
      return { [path.replace('.md', '1.md')]: aimedAt(text, claim).replace('state: done', 'state: archived') };
    },
  ),
  ...onceMore(
    'once-more',
    'plays an answered signal once more under another name',
    ['survey', 'canteen', 'payout'],
    (path) => path.replace('.md', '2.md'),
  ),
  ...onceMore('put-back', 'marks an answered signal as never read', ['roofBill', 'mooring'], (path) => path),
];

/** Signals that the program did not write, dropped into a vault that is shared. */
export const FALSE_SIGNALS: readonly Attack[] = [...FORGED, ...COPIED];
