import type { IndexAccess } from '../context/ports.ts';

/** The changes of the program that a vault of before is told of, each once. */
const NOTICES = {
  'earned-trust':
    'Trust is now earned by sender, and only by what you confirm, dismiss, do or take back. Senders you have not confirmed yet only propose, and so do mails that no server in trusted_mail_servers vouches for.',
  perception:
    'The steward now also sees what nobody has written about: what is overdue, free to go on, finished or silent for weeks. It puts at most 12 such things a day to you and changes nothing. For a digest, put two lines into steward.md: <!-- steward:seen --> and <!-- /steward:seen -->.',
} as const;

/** Says what has changed since the program last ran on this vault; a new vault is told nothing. */
export function sayNotices({ vault, context }: IndexAccess): void {
  const said = context.state.get('notices');
  const hasRun = [context.state.get('cursors'), context.state.get('streams')].some(
    (known) => Object.keys(known).length > 0,
  );
  const isOld = hasRun && vault.catalogue.count('event') + vault.catalogue.count('instinct') > 0;
  for (const [name, text] of Object.entries(NOTICES)) {
    if (said[name] !== undefined) continue;
    said[name] = context.now();
    if (isOld) context.emit({ what: 'notice', text });
    context.state.touch('notices'); // written later: a vault that goes away just now must not end the start
  }
}
