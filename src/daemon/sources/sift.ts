import type { MailHead, Sifted } from '../../source/connector.ts';
import type { Workspace } from '../context/ports.ts';

/** Says whether a mail of which only the beginning is there may be about something in the vault. */
export async function sift(_space: Workspace, _head: MailHead): Promise<Sifted> {
  return 'fetch';
}
