import type { Status } from '../../../daemon/status/status.ts';
import { count } from '../plain-text.ts';

/** Returns how things stand in one line: `17 wait for you · 1 trouble · 12 matters well · mail read 2 min ago`. */
export function headline(status: Status): string {
  const parts = [waitWords(status), troubleWords(status), wellWords(status), heardWords(status)];
  return parts.filter((part) => part !== null).join(' · ');
}

function waitWords({ waiting, vault }: Status): string | null {
  const mine = waiting.filter(({ kind }) => kind !== 'trouble').length;
  if (mine === 0) return vault.state === 'away' ? 'The vault is away' : 'Nothing waits for you';
  return `${mine} ${mine === 1 ? 'waits' : 'wait'} for you${vault.state === 'away' ? ' · the vault is away' : ''}`;
}

function troubleWords({ trouble }: Status): string | null {
  return trouble.length === 0 ? null : count(trouble.length, 'trouble');
}

// A matter is well where nothing of it waits for anybody. Whether it is, nobody knows of a vault that is away.
function wellWords({ schedules, waiting, vault }: Status): string | null {
  const restless = new Set(waiting.map(({ matter }) => matter));
  const well = schedules.filter(({ matter }) => !restless.has(matter)).length;
  return well === 0 || vault.state === 'away' ? null : `${count(well, 'matter')} well`;
}

function heardWords({ at, sourceNotes, streams }: Status): string | null {
  const contacts = sourceNotes.flatMap(({ kind, contact }) => (kind === 'imap' && contact !== null ? [contact] : []));
  const [latest] = contacts.toSorted().reverse();
  if (latest !== undefined) return `mail read ${ago(latest, at)}`;
  return streams.newest === null ? null : `last file ${ago(streams.newest, at)}`;
}

/** Returns how long before `now` a moment was, as a person says it: `just now`, `2 min ago`, `3 days ago`. Both ISO. */
export function ago(moment: string, now: string): string {
  const minutes = Math.floor((Date.parse(now) - Date.parse(moment)) / 60_000);
  if (!(minutes >= 1)) return 'just now';
  if (minutes < 120) return `${minutes} min ago`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 60 / 24)} days ago`;
}
