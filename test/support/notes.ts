import { noteText } from '../../src/vault/note-text.ts';
import { utc } from '../../src/vault/time.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The time of a new signal: signals older than a week fade. */
const YESTERDAY = utc(Date.now() - 86_400_000);

/** A mail that says that `task/pay.md` is done. */
export const PAID_MAIL = [
  'Authentication-Results: mx.sample.example; dmarc=pass header.from=roof.example',
  'Received: from mail.roof.example by mx.sample.example; Sat, 21 Nov 2026 09:00:00 +0000',
  'From: Roof & Sons <billing@roof.example>',
  'To: robin@sample.example',
  'Subject: [[pay]] your payment',
  `Date: ${new Date().toUTCString()}`, // the steward leaves old mail alone
  'Message-ID: <1@roof.example>',
  '',
  'Hello Robin, [[pay]] has been paid. Thank you.',
  '',
].join('\r\n');

/** Returns an event note without what its own part says: what the part stands for is in the other fields. */
export function masked(text: string): string {
  return text.replace(/(?<="says":")[^"]*/, '…').replace(/(\n%% steward %%\r?\n)[\s\S]*?(%% \/steward %%)/, '$1…\n$2');
}

/**
 * Returns a proposal's note, masked, as the program leaves it once it waits no more: only the fields that say so have
 * changed, and the boxes that nobody ticked are gone.
 */
export function closed(text: string, outcome: string): string {
  return masked(text)
    .replace(/^(?:confirm|dismiss|later|deliberate): false\n/gm, '')
    .replace('waiting: true', 'waiting: false')
    .replace('pending_confirmation: true', 'pending_confirmation: false')
    .replace('outcome: proposed', `outcome: ${outcome}`);
}

/** A matter note, open by default. */
export function matter(fields: Fields = {}, body = 'A matter.'): string {
  return noteText({ type: 'matter', state: 'open', ...fields }, body);
}

/** A task note of the matter `house`, open by default. */
export function task(fields: Fields = {}, body = 'A task.'): string {
  return noteText({ type: 'task', state: 'open', parent_matter: '[[house]]', ...fields }, body);
}

/** Sources whose hand-dropped signals are believed: most tests are not about who may speak. */
const TRUSTED = ['mail', 'gmail', 'bank', 'slack', 'slack_channel', 'calendar', 'transcript'];

/** The settings note. `settle_seconds` is 10 by default, as in a real vault. */
export function settings(fields: Fields = {}): string {
  return noteText(
    {
      type: 'steward',
      trusted_signal_sources: TRUSTED,
      trusted_mail_servers: ['mx.sample.example', 'mx.notary.example'],
      ...fields,
    },
    'Settings.',
  );
}

/** A signal that `task/pay.md` is done, strong enough to act on at once. */
export function signal(fields: Fields = {}): string {
  return noteText(
    {
      type: 'signal',
      created: YESTERDAY,
      origin_at: YESTERDAY,
      source_type: 'mail',
      source_event_path: 'stream/paid.eml',
      raw_quote: 'your invoice is paid',
      target_kind: 'task',
      target_path: 'task/pay.md',
      target_confidence: 0.98,
      target_candidates: [],
      target_ambiguous: false,
      effect: 'mutation',
      effect_confidence: 0.97,
      effect_confidence_raw: 0.99,
      mutation_proposal: { class: 'state_change', set: { state: 'done' } },
      reasoning: 'The mail says that it is paid.',
      headline: 'Invoice paid',
      status: 'unrouted',
      applied_at: null,
      audit_record_path: null,
      ...fields,
    },
    'A signal.',
  );
}

/** The same signal, but too weak to act on at once: it waits for the tick. */
export function weak(fields: Fields = {}): string {
  return signal({ effect_confidence: 0.75, ...fields });
}

export function instinct(source: string, fields: Fields = {}): string {
  return noteText(
    {
      type: 'instinct',
      source_type: source,
      prior: 0.9,
      confidence: 0.9,
      observations: 0,
      reversals: 0,
      calibration_status: 'live',
      learns_from: 'outcomes',
      pinned: false,
      last_negative_at: null,
      ...fields,
    },
    'What has been learnt.',
  );
}

export function reversal(reverses: string, fields: Fields = {}): string {
  return noteText({ type: 'steward-action-reversed', reverses, ...fields }, 'Please take it back.');
}

/** A task note as people write them: CRLF, comments, quotes, odd order, no final newline. */
export const ODD_TASK = [
  '---',
  'tags: [money,   house]   # mine',
  '',
  '# the state, as the list in the kitchen says',
  "state:   'open'   # not yet",
  'parent_matter: "[[house]]"',
  'type: task',
  'due: 2035-12-01',
  'Notes to self: keep  ',
  '---',
  '',
  '# Pay the invoice',
  '',
  '- [ ] look at it again',
  'the end',
].join('\r\n');

/** A schedule that fires once a year: no test depends on the minute at which it runs. A rarer one is slow to look up. */
export const SELDOM = '17 4 1 1 *';

/** A vault with one matter and one task. A test about schedules sets its own. */
export const HOUSE = {
  'steward.md': settings({ default_schedule: SELDOM }),
  'matter/house.md': matter({ summary: 'Buying the house', senders: ['billing@roof.example'] }),
  'task/pay.md': ODD_TASK,
} as const;

/** One time for all mails: a minute that ends between two of them would make two questions differ. */
const SENT = new Date().toUTCString();

/** Returns a mail of a roofer, one of many that differ by their number. */
export function instalmentMail(nth: number): string {
  return [
    'From: Roof & Sons <office@roof.example>',
    'To: robin@sample.example',
    `Subject: Your payment ${nth}`,
    `Date: ${SENT}`,
    `Message-ID: <${nth}@roof.example>`,
    '',
    `Hello Robin, instalment ${nth} has reached us.`,
    '',
  ].join('\r\n');
}
