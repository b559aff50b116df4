import { describe, expect, test } from 'vitest';
import { isTrustedServer, matchesHost } from '../../src/vault/source-names.ts';

describe('a server that signed a mail is trusted', () => {
  test.each<[string, string, boolean]>([
    ['gmail', 'mx.google.com', true],
    [' Gmail ', 'MX.google.com', true],
    ['gmail', 'mx.google.com.evil.example', false],
    ['gmail', 'gmail', false],
    ['icloud', 'dmarc.icloud.com', true],
    ['icloud', 'evil.icloud.com', false],
    ['dmarc.icloud.com', 'spf.icloud.com', true],
    ['gmx.net', 'mx.google.com', false],
    ['fastmail', 'phl-mx-04.messagingengine.com', true],
    ['mx3.messagingengine.com', 'mx3.messagingengine.com', true],
    ['mx3.messagingengine.com', 'mx4.messagingengine.com', true],
    ['outlook', 'protection.outlook.com', true],
    ['protection.outlook.com', 'protection.outlook.com', true],
    ['opendmarc:mx.home.example', 'mx.home.example', true],
    ['opendmarc:mx.home.example', 'opendmarc', false],
    ['opendmarc', 'mx.home.example', false],
    ['gmail:mx.evil.example', 'mx.evil.example', false],
    ['gmail:mx.evil.example', 'mx.google.com', false],
    ['mx.home.example', 'mx.home.example', true],
    ['constructor', 'mx.home.example', false],
  ])('%j, by %s: %s', (written, id, trusted) => expect(isTrustedServer([written], id)).toBe(trusted));
});

describe('a pattern', () => {
  test.each<[string, string, boolean]>([
    ['mx.home.example', 'mx.home.example', true],
    ['*.home.example', 'mx.home.example', true],
    ['*.home.example', 'home.example', false],
    ['*.home.example', 'mx.home.example.evil.example', false],
    ['mx*.home.example', 'mx.home.example', true],
    ['mx*x.home.example', 'mx.home.example', false],
    ['p*-smtpin-*', 'p00-icloudmta-smtpin-us', true],
    ['p*-smtpin-*', 'p00-smtpin', false],
    ['a*b*b*c', 'abbc', true],
    ['a*b*b*c', 'abc', false],
  ])('%s and %s: %s', (pattern, host, fits) => expect(matchesHost(pattern, host)).toBe(fits));
});
