import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { ran } from './command-here.ts';

/** What a server's certificate is like. `foreign`: made by an issuer whom nobody trusts. */
export type Proof = 'good' | 'expired' | 'wrong-name' | 'foreign' | 'own-signed';

/** A key and its certificate, as PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
const HERE = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
/** Long before and long after any day on which tests run. */
const SPAN = ['20240101000000Z', '20991231000000Z'] as const;
const OVER = ['20240101000000Z', '20240201000000Z'] as const;

/** Issuers of certificates in a folder: one that a test may trust, and one that nobody does. */
export class Issuer {
  /** The certificate of the one that may be trusted. */
  readonly cert: string;
  readonly #folder: string;

  constructor(folder: string = fs.mkdtempSync(path.join(os.tmpdir(), 'vs-ca-'))) {
    this.#folder = folder;
    fs.mkdirSync(folder, { recursive: true });
    this.#selfSigned('ca', '/CN=Made up');
    this.cert = this.#read('ca.pem');
  }

  /** A certificate for a server on this machine. */
  certificate(proof: Proof = 'good'): Certificate {
    if (proof === 'own-signed') return this.#selfSigned('server', '/CN=localhost', ['-addext', HERE]);
    if (proof === 'foreign') this.#selfSigned('other', '/CN=Another made up');
    this.#run('req', ...KEY, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=server');
    this.#sign(proof === 'foreign' ? 'other' : 'ca', proof);
    return this.#pair('server');
  }

  /** Lets this process trust it, as NODE_EXTRA_CA_CERTS does. Returns how to take that back. */
  trust(): () => void {
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...before, this.cert]);
    return () => tls.setDefaultCACertificates(before);
  }

  /** Where the newest certificate of a server and its key lie. */
  get files(): { readonly certificate: string; readonly key: string } {
    return { certificate: path.join(this.#folder, 'server.pem'), key: path.join(this.#folder, 'server.key') };
  }

  remove(): void {
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  #selfSigned(name: string, subject: string, more: readonly string[] = []): Certificate {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
    this.#run('req', '-x509', ...KEY, ...files, '-subj', subject, '-days', '30', ...more);
    return this.#pair(name);
  }

  #sign(by: string, proof: Proof): void {
    const [from, to] = proof === 'expired' ? OVER : SPAN;
    const names = proof === 'wrong-name' ? 'subjectAltName=DNS:other.example' : HERE;
    fs.writeFileSync(path.join(this.#folder, 'index.txt'), '');
    fs.writeFileSync(path.join(this.#folder, 'ca.conf'), config(by, names));
    const when = ['-startdate', from, '-enddate', to];
    this.#run('ca', '-batch', '-config', 'ca.conf', '-in', 'server.csr', '-out', 'server.pem', '-notext', ...when);
  }

  #pair(name: string): Certificate {
    return { key: this.#read(`${name}.key`), cert: this.#read(`${name}.pem`) };
  }

  #run(...words: readonly string[]): void {
    ran('openssl', words, this.#folder);
  }

  #read(file: string): string {
    return fs.readFileSync(path.join(this.#folder, file), 'utf8');
  }
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
    names,
    '',
  ].join('\n');
}
