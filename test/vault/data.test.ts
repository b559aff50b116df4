import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { knownProviders } from '../../src/vault/data.ts';

const CHILD = path.join(import.meta.dirname, 'data-child.ts');

/** What `status` says of the schedule meanwhile. */
const DEFAULT = 'default, since steward_schedule cannot be read';

test('a package that cannot be loaded is told as such, blames no schedule, and is loaded at the next use', () => {
  // Few files, so that the child reaches the limit at once.
  const said = execFileSync('sh', ['-c', 'ulimit -n 120; exec "$0" "$1"', process.execPath, CHILD], {
    encoding: 'utf8',
  });
  const told = { code: 'program-unread', exit: 75 };
  expect(JSON.parse(said)).toEqual({
    without: { edit: told, schedule: told, matter: DEFAULT, domain: told },
    later: { edit: 'a: ["y"]\n', schedule: true, matter: 'steward_schedule', domain: true },
  });
});

test('the providers that ship with the program are readable, each domain and model once', () => {
  const { mailboxes, mail_servers, prices, retired } = knownProviders();
  const domains = mailboxes.flatMap((each) => each.domains);
  expect(domains).toEqual([...new Set(domains)]);
  const servers = mailboxes.flatMap(({ mail_server: server }) => server ?? []);
  expect(servers.filter((server) => !Object.hasOwn(mail_servers, server))).toEqual([]);
  expect(Object.keys(prices).filter((model) => model in retired)).toEqual([]);
  expect(mailboxes.filter(({ imap, caldav }) => imap === null && caldav === null)).toEqual([]);
});
