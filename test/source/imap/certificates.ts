import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';

/** A key and its certificate, as PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** An authority of its own, with certificates for as long as a test needs them. Nothing of it is kept. */
export class Authority {
  readonly cert: string;
  readonly #folder: string;

  constructor() {
    this.#folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ca-'));
    this.#openssl(['req', '-x509', ...KEY, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test']);
    this.cert = this.#read('ca.pem');
  }

  /** A certificate for a name; with `days` below zero it has expired. */
  certificate(name = 'localhost', days = 2): Certificate {
    this.#openssl(['req', ...KEY, '-keyout', 'one.key', '-out', 'one.csr', '-subj', `/CN=${name}`]);
    fs.writeFileSync(path.join(this.#folder, 'ext'), `subjectAltName=DNS:${name}`);
    const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'ext'];
    this.#openssl(['x509', '-req', '-in', 'one.csr', ...signing, '-out', 'one.pem', '-days', String(days)]);
    return { key: this.#read('one.key'), cert: this.#read('one.pem') };
  }

  /** A certificate that signed itself. */
  ownSigned(): Certificate {
    const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    this.#openssl(['req', '-x509', ...KEY, '-keyout', 'own.key', '-out', 'own.pem', '-days', '2', ...name]);
    return { key: this.#read('own.key'), cert: this.#read('own.pem') };
  }

  /** Lets this process trust it, as NODE_EXTRA_CA_CERTS does. Returns how to take that back. */
  trust(): () => void {
    const before = tls.getCACertificates('default');
    tls.setDefaultCACertificates([...before, this.cert]);
    return () => tls.setDefaultCACertificates(before);
  }

  remove(): void {
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  #openssl(args: readonly string[]): void {
    execFileSync('openssl', args, { cwd: this.#folder, stdio: 'ignore' });
  }

  #read(file: string): string {
    return fs.readFileSync(path.join(this.#folder, file), 'utf8');
  }
}
