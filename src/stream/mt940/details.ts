import type { Payment } from '../../steward/ports/stream-event.ts';

/** What is said of a booking, `:86:`. */
export type Details = Pick<Payment, 'counterparty' | 'iban' | 'references' | 'purpose'>;
