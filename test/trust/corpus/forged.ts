import { type Attack, byMail, claiming, type Kind } from './attack.ts';
import type { Person } from './claims.ts';
import { HOME_SERVER, type NoteWord } from './household.ts';
import { fromLine, received, results, unvouched } from './letter.ts';

const EVIL = 'mx.evil.example';

type Head = (who: Person) => readonly string[];

/** A mail that claims to be of the named sender, under these header lines. */
function forged(kind: Kind, name: string, tries: string, on: readonly NoteWord[], head: Head): Attack[] {
  return byMail({ kind, name, tries, on }, (claim, who) =>
    claiming(claim, [...head(who), fromLine(who.name, who.address)]),
  );
}

const passOf = ({ domain }: Person) => `dmarc=pass header.from=${domain}; dkim=pass header.d=${domain}`;

/** Nobody says who sent it. */
const NO_RESULTS = [
  ...forged(
    'no-results',
    'bare-from',
    'takes the named address, and hopes that a From is believed',
    ['deposit', 'roofBill', 'canteen', 'caution', 'damages', 'mooring', 'club'],
    () => [received('dialup.evil.example')],
  ),
  ...forged('no-results', 'no-trace', 'has no trace at all, as if it had been written in place', ['survey'], () => []),
  ...forged(
    'no-results',
    'own-signature',
    'carries a DKIM-Signature that nobody has checked',
    ['scaffold', 'outing'],
    ({ domain }) => [received(EVIL), `DKIM-Signature: v=1; a=rsa-sha256; d=${domain}; s=mail; h=from; bh=AAAA; b=AAAA`],
  ),
  ...forged(
    'no-results',
    'other-headers',
    'says in headers of other names that it was checked',
    ['keys', 'payout', 'mortgage'],
    (who) => [
      received(EVIL),
      `X-Authentication-Results: ${HOME_SERVER}; ${passOf(who)}`,
      `ARC-Authentication-Results: i=1; ${HOME_SERVER}; ${passOf(who)}`,
      `Received-SPF: pass (${HOME_SERVER}: domain of ${who.address} designates 192.0.2.25)`,
    ],
  ),
];

/** Somebody says it, who is not asked. */
const FOREIGN_RESULTS = [
  ...forged(
    'foreign-results',
    'evil-server',
    'brings the word of a server of its own',
    ['deposit', 'roofBill', 'outing', 'keys', 'payout', 'mooring'],
    (who) => [results(passOf(who), EVIL), received(EVIL)],
  ),
  ...forged(
    'foreign-results',
    'longer-name',
    'has its server named so that it begins like the trusted one',
    ['survey', 'damages'],
    (who) => [results(passOf(who), `${HOME_SERVER}.evil.example`), received(EVIL)],
  ),
  ...forged('foreign-results', 'shorter-name', 'names the domain alone', ['scaffold'], (who) => [
    results(passOf(who), 'home.example'),
    received(EVIL),
  ]),
  ...forged('foreign-results', 'near-name', 'names a server that looks like the trusted one', ['canteen'], (who) => [
    results(passOf(who), 'rnx.home.example'),
    received(EVIL),
  ]),
  ...forged(
    'foreign-results',
    'name-in-comment',
    'hides the trusted name in a comment beside its own',
    ['caution', 'club'],
    (who) => [results(passOf(who), `${EVIL} (${HOME_SERVER})`), received(EVIL)],
  ),
  ...forged(
    'foreign-results',
    'foreign-on-top',
    'has a foreign word on top, and a copy of the trusted one below',
    ['mortgage', 'roofBill'],
    (who) => [results('dmarc=none', EVIL), received(EVIL), results(passOf(who)), received(who.domain)],
  ),
];

/** The trusted server's name, in the part of the mail that its sender wrote. */
const INNER_RESULTS = [
  ...forged(
    'inner-results',
    'below-foreign-hop',
    "writes the trusted server's word below the hop of another",
    ['deposit', 'scaffold', 'canteen', 'keys', 'damages', 'mooring'],
    (who) => [received('relay.evil.example', EVIL), results(passOf(who)), received(who.domain)],
  ),
  ...forged(
    'inner-results',
    'below-both-hops',
    'writes it below the hop of the receiving server and of the one before, where that said nothing',
    ['survey', 'outing', 'payout'],
    (who) => [received(EVIL), received('dialup.evil.example', EVIL), results(passOf(who))],
  ),
  ...forged(
    'inner-results',
    'own-hop-forged',
    'writes the receiving hop as well, below the true one',
    ['roofBill', 'caution'],
    (who) => [received(EVIL, 'relay.home-hosting.example'), results(passOf(who)), received(who.domain)],
  ),
  ...forged(
    'inner-results',
    'second-word',
    'adds a better word below the true one',
    ['mortgage', 'club', 'mooring'],
    (who) => [...unvouched(EVIL), results(passOf(who))],
  ),
];

/** The trusted server was asked, and said something else than pass. */
const FAILED: readonly (readonly [name: string, said: string, note: NoteWord])[] = [
  ['dmarc-fail', 'dmarc=fail (p=none)', 'deposit'],
  ['dmarc-none', 'dmarc=none; dkim=none; spf=neutral', 'roofBill'],
  ['spf-softfail', 'dmarc=fail; spf=softfail', 'outing'],
  ['dkim-fail', 'dkim=fail (body hash did not verify)', 'caution'],
  ['dkim-temperror', 'dkim=temperror; dmarc=temperror', 'damages'],
  ['said-none', 'none', 'mooring'],
  ['pass-in-comment', 'dmarc=fail (dmarc=pass dkim=pass)', 'survey'],
  ['pass-in-reason', 'dmarc=fail reason="see; dmarc=pass"', 'scaffold'],
  ['method-of-another-name', 'x-dmarc=pass; dmarc-arc=pass; dkim-atps=pass', 'canteen'],
  ['result-of-another-name', 'dmarc=passed; dkim=pass-through', 'keys'],
  ['spf-alone', 'spf=pass smtp.mailfrom=robin@evil.example', 'payout'],
];
const FAILED_RESULTS = FAILED.flatMap(([name, said, note]) =>
  forged(
    'failed-results',
    name,
    'keeps the named address although the trusted server did not let it pass',
    [note],
    () => [results(said), received(EVIL)],
  ),
);

/** The trusted server let somebody pass, but not the one in From. */
const OTHER_DOMAIN = [
  ...forged(
    'other-domain',
    'signed-by-another',
    'is signed by a domain of its own, and takes the named address',
    ['deposit', 'scaffold', 'outing', 'payout'],
    () => [results('dkim=pass header.d=evil.example; spf=pass'), received(EVIL)],
  ),
  ...forged(
    'other-domain',
    'passed-for-another',
    'has passed for another address than the one in From',
    ['survey', 'keys'],
    () => [results('dmarc=pass header.from=evil.example'), received(EVIL)],
  ),
  ...forged(
    'other-domain',
    'longer-domain',
    "is signed by a domain that begins with the named one's",
    ['mortgage', 'canteen'],
    ({ domain }) => [results(`dkim=pass header.d=${domain}.evil.example`), received(EVIL)],
  ),
  ...forged('other-domain', 'whole-suffix', 'is signed by the suffix that everybody shares', ['caution'], () => [
    results('dkim=pass header.d=example'),
    received(EVIL),
  ]),
  ...forged(
    'other-domain',
    'mass-mailer',
    'is signed by a mass mailer in its own name',
    ['roofBill', 'mooring', 'damages'],
    () => [results('dkim=pass header.i=@bulk-sender.example; dmarc=fail'), received('bulk-sender.example')],
  ),
];

/** Mails that claim to be of a named sender. */
export const FORGED: readonly Attack[] = [
  ...NO_RESULTS,
  ...FOREIGN_RESULTS,
  ...INNER_RESULTS,
  ...FAILED_RESULTS,
  ...OTHER_DOMAIN,
];
