import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { wordsOf } from '../mail/word.ts';
import { linksIn } from '../targets/link.ts';
import type { TargetCandidate, TargetIndex } from '../targets/target-index.ts';
import type { ThingSet } from '../things/things-named.ts';

const MAX_CANDIDATES = 40;
const MAX_TASKS_OF_MATTER = 25;
const MAX_ALIKE = 30;
const MAX_POOL = 90;
const MAX_TEXT = 800;

/** Returns the open notes that an event could mean at all: by link, sender, name, keyword, reference, words or things named, and their matters' tasks. */
export function candidatePool(event: StreamEvent, index: TargetIndex, named: ThingSet): readonly TargetCandidate[] {
  const found = new Set<string>();
  for (const { target } of [...linksIn(event.subject), ...linksIn(event.text)])
    for (const path of index.byLink(target)) found.add(path);
  for (const { path } of index.bySender(event.from ?? '')) found.add(path);
  for (const { path } of index.phrasesIn(wordsOf(`${event.subject} \n ${event.text}`))) found.add(path);
  const asked = [`${event.subject} ${senderWords(event)}`, event.subject, event.text.slice(0, MAX_TEXT)];
  for (const text of asked) for (const { path } of index.search(text)) found.add(path);
  const notes = [...found].flatMap((path) => index.get(path) ?? []).slice(0, MAX_CANDIDATES);
  const matters = new Set(notes.map((note) => (note.kind === 'matter' ? note.path : note.matterPath)));
  const tasks = [...matters].flatMap((path) =>
    path === null ? [] : index.openTasksOf(path).toSorted(byPath).slice(0, MAX_TASKS_OF_MATTER),
  );
  const above = [...matters].flatMap((path) => (path === null ? [] : (index.get(path) ?? [])));
  const alike = index.things.naming(named).flatMap((path) => index.get(path) ?? []);
  const all = new Map([...notes, ...alike.slice(0, MAX_ALIKE), ...tasks, ...above].map((note) => [note.path, note]));
  return [...all.values()].filter((note) => index.isOpen(note.path)).slice(0, MAX_POOL);
}

function byPath(one: TargetCandidate, other: TargetCandidate): number {
  return one.path < other.path ? -1 : 1;
}

/** Returns the words by which a sender goes: the display name, and those of the domain. */
export function senderWords({ from, fromName }: StreamEvent): string {
  const [local = '', domain = ''] = (from ?? '').split('@');
  const labels = domain.split('.').slice(0, -1).join(' ').replaceAll('-', ' ');
  return `${fromName ?? ''} ${local.replace(/[._+-]/g, ' ')} ${labels}`;
}
