import fs from 'node:fs';
import type { Workspace } from '../../src/daemon/context/ports.ts';
import { readStream } from '../../src/daemon/ingest/stream-file.ts';
import { Brought } from '../../src/daemon/sources/brought.ts';
import type { SourceNote } from '../../src/daemon/sources/source-notes.ts';
import { VaultInlet } from '../../src/daemon/sources/vault-inlet.ts';
import type { Arrival } from '../../src/source/connector.ts';
import { sourceSettings } from '../../src/source/source-note.ts';
import { newSource } from '../../src/source/source-state.ts';
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
const NOTE: SourceNote = {
  name: 'inbox',
  path: 'source/inbox.md',
  settings: sourceSettings.parse({ kind: 'imap', host: 'imap.example', user: 'anna' }),
};

/**
 * Visits a source of three mails once, as a connector does: two of them in one go, and then the third. Throws where, in the
 * end, anything is missing or there twice.
 */
export async function fetchAll(space: Workspace): Promise<void> {
  const { context, vault } = space;
  const sources = context.state.get('sources');
  const known = sources[NOTE.name] ?? newSource('here');
  sources[NOTE.name] = known;
  const mails = fs.readFileSync(`${vault.root}/${SERVER}`, 'utf8').split(BETWEEN);
  const written: string[] = [];
  const streams = {
    add: (file: string) => void written.push(file),
    drained: async () => {},
  };
  const brought = new Brought({ places: vault.places, now: context.now, demand: () => {} });
  const inlet = new VaultInlet({ space, note: NOTE, brought, known, streams });
  for (const end of [2, 3]) {
    const from = Number(inlet.cursor() ?? 0);
    if (from < end)
      await inlet.put(
        mails.slice(from, end).map((text, nth) => arrivalOf(text, from + nth)),
        end,
      );
  }
  await vault.sweep();
  const abort = new AbortController().signal;
  for (const file of vault.streams.keys()) await readStream(space, file, abort);
  const names = fs.readdirSync(`${vault.root}/stream/inbox`);
  if (names.length !== mails.length || inlet.cursor() !== mails.length) {
    throw new Error(`${names.length} of ${mails.length} mails are there, and the cursor is at ${inlet.cursor()}`);
  }
}

function arrivalOf(text: string, nth: number): Arrival {
  const at = Date.parse('2026-11-20T08:00:00Z');
  return { key: `${nth}`.repeat(64), at, content: { kind: 'mail', bytes: Buffer.from(text) } };
}
