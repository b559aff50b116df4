import fs from 'node:fs';
import { inMailbox, numberedMail } from '../../support/mailbox.ts';

/** Writes a mailbox of numbered mails, a second apart, and returns its size in bytes. `first`: when the first was sent. */
export function makeMailbox(file: string, mails: number, first: number): number {
  const handle = fs.openSync(file, 'w');
  for (let nth = 0; nth < mails; nth += 1) fs.writeSync(handle, inMailbox(numberedMail(nth, first)));
  fs.closeSync(handle);
  return fs.statSync(file).size;
}
