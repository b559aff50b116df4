import fs from 'node:fs';
import path from 'node:path';
import { ran } from './command-here.ts';

/** What a server's certificate is like. `foreign`: made by another issuer than the one whose certificate is at `ca`. */
export type Proof = 'good' | 'expired' | 'wrong-name' | 'foreign';

/** Files of a server that proves who it is. */
export interface Certificate {
  /** The issuer's certificate: whoever trusts it trusts a good server. */
  readonly ca: string;
  readonly certificate: string;
  readonly key: string;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

/** Makes an issuer and a certificate for `localhost` and 127.0.0.1 in a folder. */
export function madeCertificate(folder: string, proof: Proof): Certificate {
  fs.mkdirSync(folder, { recursive: true });
  issuer(folder, 'ca');
  if (proof === 'foreign') issuer(folder, 'other');
  sign(folder, proof === 'foreign' ? 'other' : 'ca', proof);
  const at = (name: string): string => path.join(folder, name);
  return { ca: at('ca.pem'), certificate: at('server.pem'), key: at('server.key') };
}

function issuer(folder: string, name: string): void {
  const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
  ran('openssl', ['req', '-x509', ...KEY, ...files, '-subj', `/CN=Made up ${name}`, '-days', '30'], folder);
}

function sign(folder: string, by: string, proof: Proof): void {
  const names = proof === 'wrong-name' ? 'DNS:other.example' : 'DNS:localhost,IP:127.0.0.1';
  const request = ['-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=server'];
  ran('openssl', ['req', ...KEY, ...request], folder);
  fs.writeFileSync(path.join(folder, 'index.txt'), '');
  fs.writeFileSync(path.join(folder, 'ca.conf'), config(by, names));
  const span = proof === 'expired' ? ['20240101000000Z', '20240201000000Z'] : ['20240101000000Z', '20491231000000Z'];
  const when = ['-startdate', span[0] ?? '', '-enddate', span[1] ?? ''];
  ran('openssl', ['ca', '-batch', '-config', 'ca.conf', '-in', 'server.csr', '-out', 'server.pem', ...when], folder);
}

function config(by: string, names: string): string {
  return [
    '[ca]',
    'default_ca = own',
    '[own]',
    'dir = .',
    'database = index.txt',
    'new_certs_dir = .',
    'rand_serial = yes',
    `certificate = ${by}.pem`,
    `private_key = ${by}.key`,
    'default_md = sha256',
    'policy = any',
    'x509_extensions = server',
    '[any]',
    'commonName = supplied',
    '[server]',
    `subjectAltName = ${names}`,
    '',
  ].join('\n');
}
