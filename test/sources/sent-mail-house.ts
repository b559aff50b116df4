import { newSource, SOURCES } from '../../src/sources/source.ts';
import { fetchedFile, type MailOrigin } from '../../src/streams/fetched-mail.ts';
import { HOUSE, matter, settings, task } from '../support/notes.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

/** Where the source `inbox` puts the mail that it fetched. */
export const FETCHED = 'stream/inbox/2026-11-21-0123456789ab.eml';
export const FROM_SENT: MailOrigin = { source: 'inbox', server: null, keep: 'mail', isSent: true };

/** A vault with the task `Pay the notary fee`, whose source `inbox` reads the mails that the user sent. */
export async function sentMailHouse(files: Readonly<Record<string, string>> = {}, fields = {}) {
  const vault = new TempVault({
    ...HOUSE,
    'matter/house.md': matter({ senders: ['joanna@northgate.example'] }),
    'task/Pay the notary fee.md': task(),
    'task/Sign the deed.md': task(),
    'steward.md': settings({ settle_seconds: 0, ...fields }),
    ...files,
  }).identify();
  const bench = await Bench.open(vault);
  bench.remember(SOURCES, { inbox: { ...newSource('a'), sent: true } });
  const { seal } = bench.ports.context;
  return {
    vault,
    bench,
    /** Returns a mail as the source stores it. */
    fetched: (mail: string, from: Partial<MailOrigin> = {}) =>
      fetchedFile({ ...FROM_SENT, ...from }, FETCHED, Buffer.from(mail), seal),
    signals: () => vault.names('signal').map((name) => vault.fields(`signal/${name}`)),
  };
}
