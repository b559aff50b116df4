import { describe, expect, test } from 'vitest';
import { holdsSecret } from '../../src/evidence/files.ts';

/** Put together, so that nobody who looks for keys finds one here. */
const KEY = ['-----BEGIN OPENSSH', 'PRIVATE KEY-----'].join(' ');
const BODY = 'b3BlbnNzaC1rZXktdjEAAAAABG5vbmU';

function token(prefix: string, length: number): string {
  return prefix + 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU'.repeat(3).slice(0, length);
}

describe('a text that is a key or holds passwords', () => {
  test.each<[string, string]>([
    ['a key of OpenSSH', `${KEY}\n${BODY}\n`],
    ['a key with Windows line ends', `${KEY}\r\n${BODY}\r\n`],
    [
      'an encrypted key with headers',
      `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: A,0\n\n${BODY}\n`,
    ],
    [
      'a key behind its certificate',
      `-----BEGIN CERTIFICATE-----\n${BODY}\n-----END CERTIFICATE-----\n${KEY}\n${BODY}\n`,
    ],
    ['a key in a note', `# Keys\n\n    ${KEY}\n    ${BODY}\n`],
    ['a PGP key', `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${BODY}\n`],
    ['a key of PuTTY', 'PuTTY-User-Key-File-3: ssh-ed25519\n'],
    ['a key of age', `# created\nAGE-SECRET-KEY-1${'Q'.repeat(58)}\n`],
    ['a service account', '{ "type": "service_account", "private_key": "-----BEGIN PRIVATE KEY-----\\nMII" }'],
    ['cloud credentials', `[default]\naws_access_key_id = A\naws_secret_access_key = ${'x'.repeat(40)}\n`],
    ['a client key of a cluster', `users:\n- user:\n    client-key-data: ${'L'.repeat(40)}\n`],
    ['a .netrc', 'machine git.example login robin password hunter2\n'],
    ['an .npmrc', '//registry.example/:_authToken=npm_0123456789\n'],
    ['a login of Docker', '{"auths": {"registry.example": {"auth": "cm9iaW46aHVudGVyMg=="}}}'],
    ['a key of a provider, alone', `sk-ant-${'a'.repeat(20)}\n`],
    ['git credentials', 'https://robin:hunter2@git.example\n'],
    ['a token of GitHub in a sentence', `Use ${token('ghp_', 36)} for the robot.\n`],
    [
      'a key of AWS in code',
      `const key = '${token('AKIA', 16)
        .toUpperCase()
        .replace(/[018-9]/g, '7')}';\n`,
    ],
    ['a key of a model’s provider, far below', `${'text\n'.repeat(9_000)}key: ${token('sk-ant-api03-', 40)}\n`],
    ['a key of another provider', `OPENAI_API_KEY=${token('sk-proj-', 44)}\n`],
    ['a token of GitLab in a URL', `https://oauth2:${token('glpat-', 20)}@git.example/x.git\n`],
  ])('%s', (_, text) => {
    expect(holdsSecret(text)).toBe(true);
  });
});

describe('a text that speaks of keys', () => {
  test.each([
    'Keys begin with `-----BEGIN PRIVATE KEY-----`, as everybody knows.\n',
    "if (text.startsWith('-----BEGIN RSA PRIVATE KEY-----')) throw bad();\n",
    '-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n',
    '-----BEGIN CERTIFICATE-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n',
    'Set aws_secret_access_key = … in your profile.\n',
    'The washing machine needs a login and a password.\n',
    'See https://git.example/robin and mail robin@git.example.\n',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ robin@desk.example\n',
    'Tokens look like ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, keys like AKIAIOSFODNN7EXAMPLE.\n',
    '.sk-fading-circle-with-twelve-dots { animation: none }\n',
    'The prefixes are ghp_, sk-ant-, AKIA and xoxb-.\n',
  ])('%s', (text) => {
    expect(holdsSecret(text)).toBe(false);
  });
});
