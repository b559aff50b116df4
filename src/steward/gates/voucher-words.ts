import { channelOf } from '../../vault/source-names.ts';

const BANKS: readonly string[] = ['bank', 'sure'];

/** Returns who should have vouched for a sender of this source, and did not: the beginning of a sentence. */
export function noVoucher(source: string): string {
  return BANKS.includes(channelOf(source))
    ? 'no statement of an account in trusted_bank_accounts'
    : 'no trusted server';
}
