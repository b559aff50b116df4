import fs from 'node:fs';
import type { Workspace } from '../../src/daemon/context.ts';
import { KnownKeys, VaultInlet } from '../../src/sources/inlet.ts';
import { type Arrival, newSource, SOURCES, sourceSettings } from '../../src/sources/source.ts';
import type { SourceNote } from '../../src/sources/source-note.ts';
import { deleteReadMails } from '../../src/sources/source-work.ts';
import { readStream } from '../../src/streams/read-stream.ts';
import { unreadStreams } from '../../src/streams/streams.ts';
import { PAID_MAIL } from '../support/notes.ts';

/** Where the server of this scene has its mails; they must be the same in each process. */
export const SERVER = 'server.txt';
const BETWEEN = '\n=====\n';

/** Returns the mails of the server as one text: one of them says something. */
export function serverText(): string {
  const others = ['The sun shines', 'It rains again'].map((subject, nth) =>
    PAID_MAIL.replace(/^Subject: .*$/m, `Subject: ${subject}`)
      .replace(/^Message-ID: .*$/im, `Message-ID: <other-${nth}@mail.example>`)
      .replace(/\r?\n\r?\n[\s\S]*$/, '\r\n\r\nNothing else.\r\n'),
  );
  return [others[0], PAID_MAIL, others[1]].join(BETWEEN);
}
/** What a source keeps of its mails in `stream/`. */
type Keep = 'mail' | 'quote';

/**
 * Visits a source of three mails once, as a connector does: two of them in one go, and then the third. What lies in the vault
 * is read before, and after each go. Throws where, in the end, anything is missing or there twice; with `quote`, where
 * anything is left.
 */
export async function fetchAll(space: Workspace, keep: Keep): Promise<void> {
  const { context, vault } = space;
  const sources = context.state.get(SOURCES);
  const note = noteOf(keep);
  const known = sources[note.name] ?? newSource('here');
  sources[note.name] = known;
  const mails = fs.readFileSync(`${vault.root}/${SERVER}`, 'utf8').split(BETWEEN);
  const written: string[] = [];
  const streams = {
    add: (file: string) => void written.push(file),
    idle: async () => {},
  };
  const knownKeys = new KnownKeys({ places: vault.places, now: context.now, demand: () => {} });
  const inlet = new VaultInlet({ space, note, knownKeys, known, streams });
  await readAll(space);
  for (const end of [2, 3]) {
    const from = Number(inlet.cursor() ?? 0);
    if (from < end)
      await inlet.put(
        mails.slice(from, end).map((text, nth) => arrivalOf(text, from + nth)),
        end,
      );
    await readAll(space);
  }
  const names = fs.readdirSync(`${vault.root}/stream/inbox`);
  const left = keep === 'quote' ? 0 : mails.length;
  if (names.length !== left || inlet.cursor() !== mails.length) {
    throw new Error(`${names.length} mails are there and not ${left}, and the cursor is at ${inlet.cursor()}`);
  }
}

/** Reads what was not read yet, and deletes what was fetched only to be read, as the daemon does. */
async function readAll(space: Workspace): Promise<void> {
  await space.vault.sweep();
  const abort = new AbortController().signal;
  for (const file of unreadStreams(space)) await readStream(space, file, abort);
  await deleteReadMails(space);
}

function noteOf(keep: Keep): SourceNote {
  const settings = sourceSettings.parse({ kind: 'imap', host: 'imap.example', user: 'anna', keep });
  return { name: 'inbox', path: 'source/inbox.md', settings };
}

function arrivalOf(text: string, nth: number): Arrival {
  const at = Date.parse('2026-11-20T08:00:00Z');
  return { key: `${nth}`.repeat(64), at, content: { kind: 'mail', bytes: Buffer.from(text) } };
}
