import { channelOf } from '../../vault/source-names.ts';

const BANKS: readonly string[] = ['bank', 'sure'];
const FILES: readonly string[] = ['slack', 'slack_channel', 'transcript', 'vexa', 'calendar', 'gcal', 'other'];

/** Returns who should have vouched for a sender of this source, and did not: the beginning of a sentence. */
export function noVoucher(source: string): string {
  const channel = channelOf(source);
  if (BANKS.includes(channel)) return 'no statement of an account in trusted_bank_accounts';
  // No server speaks for what lies in a file of these, whatever the settings trust.
  return FILES.includes(channel) ? 'nobody beside the file' : 'no trusted server';
}
