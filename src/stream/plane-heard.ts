import { z } from 'zod';
import type { Stated, StreamEvent } from '../steward/ports.ts';
import type { Seal } from '../vault/seal.ts';
import { utc } from '../vault/time.ts';
import { readHtml } from './html.ts';
import { cutAt, plainText } from './mail/plain-text.ts';

const MAX_TEXT = 20_000;
const text = z.string().max(MAX_TEXT);
const optionalText = text.nullable();

/** What somebody did in Plane, as the program heard it from the server: one file below `stream/plane`. */
const heardInPlane = z.object({
  project: text,
  item: text,
  /** The name of the work item. */
  name: text,
  /** The task with this work item, vault-relative. */
  task: text,
  /** The server that said so. */
  host: text,
  /** Who did it, by their id in Plane; null where Plane does not say. */
  actor: optionalText,
  /** When, as Plane says it; null where it does not. */
  at: optionalText,
  what: z.enum(['state', 'due', 'comment']),
  /** `done` or `archived`, the date, or the HTML of the comment. */
  value: text,
  /** What it comes to in a few words; what a comment says stands in `value`. */
  says: text,
});
export type HeardInPlane = z.infer<typeof heardInPlane>;

const sealedFile = heardInPlane.extend({ seal: z.string() });

/** Returns the text of the file with the program's mark. `file`: where it will be. */
export function heardText(heard: HeardInPlane, file: string, seal: Seal): string {
  return `${JSON.stringify({ ...heard, seal: seal.of(marked(heard, file)) }, null, 2)}\n`;
}

/** Returns what a file says was heard; null where the program itself did not write it so, under this name. */
export function readHeard(bytes: Uint8Array, file: string, seal: Seal): HeardInPlane | null {
  const read = sealedFile.safeParse(jsonIn(bytes));
  if (!read.success) return null;
  const { seal: mark, ...heard } = read.data;
  return seal.holds(marked(heard, file), mark) ? heard : null;
}

/** Returns what was heard as an event of the source `plane`. `task`: where the task lies now. */
export function planeEvent(heard: HeardInPlane, file: string, task: string): StreamEvent {
  const moment = Date.parse(heard.at ?? '');
  const said = heard.what === 'comment' ? readHtml(cutAt(heard.value, MAX_TEXT)) : null;
  const stated = statedBy(heard);
  return {
    path: file,
    sourceType: 'plane',
    originAt: Number.isNaN(moment) ? null : utc(moment),
    ...{ from: heard.actor, fromName: null, to: [], subject: heard.name, quoted: '' },
    text: said === null ? heard.says : plainText(said.seen),
    ...{ bulk: false, bulkReason: null, ownNote: false, warnings: [] },
    authentication: { result: 'pass', server: heard.host, reason: 'the program asked this server itself' },
    shown: said === null || said.surelySeen === said.seen ? null : plainText(said.surelySeen),
    doubts: said?.doubts ?? [],
    about: task,
    ...(stated === null ? {} : { stated }),
  };
}

function statedBy({ what, value, says }: HeardInPlane): Stated | null {
  if (what === 'comment') return null;
  const kind = what === 'state' ? 'state_change' : 'context_edit';
  const set: Readonly<Record<string, string>> = what === 'state' ? { state: value } : { due: value };
  return { quote: says, proposal: { class: kind, set, add: {}, remove: {} } };
}

// The name is part of it: a copy under another name was not heard a second time.
function marked(heard: HeardInPlane, file: string): string {
  return `plane ${file}\0${JSON.stringify(heard)}`;
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return null;
  }
}
