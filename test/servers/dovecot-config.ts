import fs from 'node:fs';
import os from 'node:os';
import type { Issuer } from './certificates.ts';

/** What a Dovecot can do and what it holds back. */
export interface DovecotTraits {
  readonly storage: 'maildir' | 'sdbox';
  /** Left out of what it offers. */
  readonly without: readonly string[];
  /** How long a refused login waits for its answer. */
  readonly refusalDelaySeconds: number;
  /** Users and their passwords. */
  readonly users: Readonly<Record<string, string>>;
  /** Who says, at a port of 127.0.0.1, whose an access token is; null: none are taken. */
  readonly tokenPort: number | null;
}

interface Ports {
  readonly plain: number;
  readonly tls: number;
}

/** Numbers of a user and a group. */
export interface MailOwner {
  readonly uid: number;
  readonly gid: number;
}

const OFFERED = [
  'IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE SORT SORT=DISPLAY THREAD=REFERENCES THREAD=REFS THREAD=ORDEREDSUBJECT',
  'MULTIAPPEND URL-PARTIAL CATENATE UNSELECT CHILDREN NAMESPACE UIDPLUS LIST-EXTENDED I18NLEVEL=1 CONDSTORE QRESYNC ESEARCH',
  'ESORT SEARCHRES WITHIN CONTEXT=SEARCH LIST-STATUS BINARY MOVE SNIPPET=FUZZY PREVIEW=FUZZY PREVIEW STATUS=SIZE SAVEDATE',
  'LITERAL+ NOTIFY SPECIAL-USE',
]
  .join(' ')
  .split(' ');
/** The folder that the server marks as that of sent mails, if it is there. Its name doesn't show it. */
export const MARKED_AS_SENT = 'Ausgang';

const CAN_START_AS = ['dovecot', 'dovenull', 'nobody'];

/** Returns the whole configuration of a Dovecot that keeps to its folder, as whoever runs it. */
export function dovecotConfig(folder: string, traits: DovecotTraits, ports: Ports, proof: Issuer['files']): string {
  const { inner, login, group } = processUsers();
  const owner = mailOwner();
  return `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
auth_verbose = yes
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <${proof.certificate}
ssl_key = <${proof.key}
ssl_dh =
disable_plaintext_auth = no
auth_mechanisms = ${traits.tokenPort === null ? 'plain login' : 'plain login xoauth2 oauthbearer'}
auth_failure_delay = ${traits.refusalDelaySeconds} secs
default_internal_user = ${inner}
default_internal_group = ${group}
default_login_user = ${login}
first_valid_uid = 1
first_valid_gid = 0
mail_max_userip_connections = 1000
mail_location = ${traits.storage}:~/mail
mail_fsync = never
rawlog_dir = ${folder}/raw/%u
imap_capability = ${OFFERED.filter((name) => !traits.without.includes(name)).join(' ')}
passdb {
  driver = passwd-file
  args = scheme=plain username_format=%u ${folder}/users
}
${traits.tokenPort === null ? '' : tokens(folder)}userdb {
  driver = static
  args = uid=${owner.uid} gid=${owner.gid} home=${folder}/home/%u
}
namespace inbox {
  inbox = yes
  mailbox ${MARKED_AS_SENT} {
    special_use = \\Sent
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${ports.plain}
  }
  inet_listener imaps {
    port = ${ports.tls}
    ssl = yes
  }
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service stats {
  chroot =
}
`;
}

/** Returns what a Dovecot has to know of whoever says whose an access token is. */
export function tokenConfig(port: number): string {
  return [
    `tokeninfo_url = http://127.0.0.1:${port}/token?access_token=`,
    'username_attribute = user',
    'active_attribute = active',
    'active_value = yes',
    '',
  ].join('\n');
}

function tokens(folder: string): string {
  return `passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${folder}/tokens.conf
}
`;
}

/** Whose the mails are on disk: one's own, or those of nobody, since root may have none. */
export function mailOwner(): MailOwner {
  const uid = process.getuid?.() ?? 0;
  if (uid !== 0) return { uid, gid: process.getgid?.() ?? 0 };
  const nobody = numbers('/etc/passwd', 'nobody');
  return { uid: Number(nobody?.[2] ?? 65_534), gid: Number(nobody?.[3] ?? 65_534) };
}

/** Root must not let its processes run as itself, and nobody else can become another. */
function processUsers(): { readonly inner: string; readonly login: string; readonly group: string } {
  if (process.getuid?.() !== 0) {
    const own = os.userInfo().username;
    return { inner: own, login: own, group: groupName(process.getgid?.() ?? 0) };
  }
  const there = CAN_START_AS.filter((name) => numbers('/etc/passwd', name) !== undefined);
  const [inner = 'nobody', login = inner] = there;
  return { inner, login, group: groupName(Number(numbers('/etc/passwd', inner)?.[3] ?? 0)) };
}

function numbers(file: string, name: string): string[] | undefined {
  return rows(file).find(([first]) => first === name);
}

function groupName(gid: number): string {
  return rows('/etc/group').find(([, , id]) => id === String(gid))?.[0] ?? String(gid);
}

function rows(file: string): string[][] {
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
}
