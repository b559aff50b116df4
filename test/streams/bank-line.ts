import type { Payment, StreamEvent } from '../../src/steward/types.ts';
import { extract } from '../../src/streams/extract.ts';
import { writeSignal } from '../../src/streams/signal.ts';
import { utc } from '../../src/vault/time.ts';
import { eventWith } from '../support/events.ts';
import { instinct, matter, settings, task } from '../support/notes.ts';
import { type Files, TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

export const ACCOUNT = 'DE02120300000000202051';
/** The IBAN of whoever is to be paid. */
export const ROOFER = 'DE89370400440532013000';
export const STRANGER = 'GB29NWBK60161331926819';

/** A task that names what is to be paid, in the vault of somebody whose account the settings name. */
export const TO_PAY: Files = {
  'steward.md': settings({ settle_seconds: 0, trusted_bank_accounts: [ACCOUNT], trusted_signal_sources: [] }),
  'matter/house.md': matter(),
  'task/pay.md': task({
    aliases: ['Pay the roof'],
    amount: 1250,
    reference: 4711,
    iban: 'DE89 3704 0044 0532 0130 00',
  }),
  'instinct/bank/roof.md': instinct('bank', { pattern: ROOFER, confidence: 1, prior: 1, observations: 60, right: 60 }),
};

/** A line as it is read from a statement: today, 1 250.00 EUR to the roofer, with the reference. */
export function bankLine(parts: Partial<Payment> = {}, event: Partial<StreamEvent> = {}): StreamEvent {
  const payment: Payment = {
    ...{ account: ACCOUNT, status: 'booked', day: utc(Date.now()).slice(0, 10), amount: '-1250.00', currency: 'EUR' },
    ...{ counterparty: 'Roof & Sons', iban: ROOFER, references: [], purpose: 'Invoice 4711' },
    ...parts,
  };
  return eventWith({
    path: 'stream/bank/november.csv#0123456789ab',
    ...{ sourceType: 'bank', originAt: utc(Date.now() - 3_600_000), from: payment.iban ?? payment.counterparty },
    ...{ fromName: payment.counterparty, to: [], subject: `${payment.amount} EUR`, text: payment.purpose, payment },
    ...event,
  });
}

/** What the program makes of lines in live mode, read one after the other as the daemon reads them. */
export async function booked(
  files: Files,
  ...lines: readonly StreamEvent[]
): Promise<{ vault: TempVault; bench: Bench; gates: string }> {
  const vault = new TempVault(files);
  const bench = await Bench.open(vault);
  await bench.sweep();
  for (const line of lines) await readLine(bench, line);
  await bench.tick();
  const gates = vault.events().map((event) => JSON.stringify(vault.fields(event).gates));
  return { vault, bench, gates: gates.join('\n') };
}

/** Reads one line as the daemon does, and writes its signals. */
export async function readLine(bench: Bench, line: StreamEvent): Promise<void> {
  const read = await extract(bench.ports, line, new AbortController().signal);
  if (read.kind === 'waits') throw new Error(`it waits: ${read.reason}`);
  for (const draft of read.drafts) writeSignal(bench.ports, draft);
}
