import fs from 'node:fs';
import path from 'node:path';
import { passwordVariable, pinned, sourceSettings } from '../../../src/sources/source.ts';
import { allow, grantsFile } from '../../../src/sources/source-note.ts';
import { Dovecot } from '../../servers/dovecot.ts';
import { PASSWORD } from '../../servers/local-server.ts';
import { Radicale } from '../../servers/radicale.ts';

/** The mailboxes, each a user of the mail server. */
export const BOXES = names('box', 10);
const CALENDARS = names('calendar', 5);
const ENTRIES = 100;

/** A mail server with ten mailboxes, and a calendar server with five calendars. */
export interface Servers {
  readonly mail: Dovecot;
  readonly calendars: Radicale;
  stop(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const users = Object.fromEntries(BOXES.map((name) => [name, PASSWORD]));
  const mail = await Dovecot.start({ users });
  const calendars = await Radicale.start();
  for (const name of CALENDARS) {
    await calendars.calendar(name, name);
    calendars.lay(name, Object.fromEntries(names(name, ENTRIES).map((uid, nth) => [uid, entry(uid, nth)])));
  }
  const stop = async () => void (await Promise.all([mail.stop(), calendars.stop()]));
  return { mail, calendars, stop };
}

/** Connects a vault to all of them, as a person allows it, and returns what the daemon's environment needs. */
export function connect(root: string, state: string, { mail, calendars }: Servers, every: string): NodeJS.ProcessEnv {
  const common = { every };
  const box = (user: string) => ({ kind: 'imap', host: '127.0.0.1', port: mail.port, security: 'none', user });
  const calendar = (name: string) => {
    return { kind: 'caldav', url: calendars.url, user: calendars.user, calendars: [name] };
  };
  const sources = [
    ...BOXES.map((name) => ({ name, fields: { ...common, ...box(name) }, password: PASSWORD })),
    ...CALENDARS.map((name) => ({ name, fields: { ...common, ...calendar(name) }, password: calendars.password })),
  ];
  fs.mkdirSync(path.join(root, 'source'), { recursive: true });
  for (const { name, fields } of sources) {
    const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    fs.writeFileSync(path.join(root, 'source', `${name}.md`), ['---', ...lines, '---', ''].join('\n'));
    const given = { pinned: pinned(sourceSettings.parse(fields)), passwordCommand: null, run: null };
    allow(grantsFile(root, path.join(state, 'vault-steward', 'sources')), name, {
      ...given,
      at: '2026-11-01T00:00:00Z',
    });
  }
  return Object.fromEntries(sources.map(({ name, password }) => [passwordVariable(name), password]));
}

function names(kind: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, nth) => `${kind}-${nth}`);
}

function entry(uid: string, nth: number): string {
  const start = new Date(Date.now() + (nth + 1) * 24 * 60 * 60 * 1000).toISOString().replace(/[-:]|\.\d+/g, '');
  const lines = [
    `UID:${uid}`,
    'DTSTAMP:20261101T080000Z',
    `DTSTART:${start}`,
    'DURATION:PT1H',
    `SUMMARY:Lesson ${nth}`,
  ];
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//made up//EN',
    'BEGIN:VEVENT',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}
