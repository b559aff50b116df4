import { describe, expect, test } from 'vitest';
import { dovecotHere } from '../../servers/dovecot.ts';
import { MemoryInlet } from '../memory-inlet.ts';
import { dovecot, letter, taken, visited, wire } from './mailbox.ts';

const MAILS = 50_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Every so many-th mail may be about something in the vault. */
const MEANT = 1000;

describe.skipIf(!dovecotHere())('a mailbox of 50 000 mails', () => {
  test('is read since a day, then only where something is new, and after a new numbering no mail is taken twice', async () => {
    const server = await dovecot();
    const now = Date.now();
    server.maildir().lay(fifty(now));
    const relay = await wire(server.port);
    const inlet = new MemoryInlet();
    inlet.judge = ({ bytes }) => (Buffer.from(bytes).includes('Subject: The roof') ? 'fetch' : 'pass');
    const since = new Date(now - 20 * DAY).toISOString().slice(0, 10);

    const first = await timed('first visit', inlet, relay, async () => await visited(relay.port, inlet, { since }));
    expect(first.looked).toBeGreaterThanOrEqual((20 * DAY) / MINUTE - 1);
    expect(first.looked).toBeLessThanOrEqual((21 * DAY) / MINUTE + 1);
    const meant = taken(inlet);
    expect(meant).toEqual(Array.from({ length: Math.floor((first.looked - 1) / MEANT) + 1 }, (_, nth) => nth * MEANT));
    expect(JSON.stringify(inlet.at).length).toBeLessThan(1000);

    const quiet = await timed('quiet visit', inlet, relay, async () => await visited(relay.port, inlet, { since }));
    expect(quiet.looked).toBe(0);
    expect(quiet.bytes).toBeLessThan(5000);

    await server.halt();
    server.maildir().renumber();
    await server.again();
    const again = await timed('new numbering', inlet, relay, async () => await visited(relay.port, inlet, { since }));
    expect(again.looked).toBe(0);
    expect(again.bytes).toBeLessThan(first.bytes * 1.1);
    expect(taken(inlet)).toEqual(meant);

    server.maildir().lay([{ bytes: letter(MAILS, 'The roof'), at: now }]);
    const one = await timed('one new mail', inlet, relay, async () => await visited(relay.port, inlet, { since }));
    expect(one.looked).toBe(1);
    expect(one.bytes).toBeLessThan(8000);
    expect(taken(inlet)).toEqual([...meant, MAILS]);
  });
});

function* fifty(now: number) {
  for (let nth = MAILS - 1; nth >= 0; nth -= 1) {
    const subject = nth % MEANT === 0 ? 'The roof' : `Letter ${nth}`;
    yield { bytes: letter(nth, subject), at: now - nth * MINUTE, isSeen: true };
  }
}

async function timed(
  what: string,
  inlet: MemoryInlet,
  relay: { down: number; reset(): void },
  work: () => Promise<readonly string[]>,
): Promise<{ readonly looked: number; readonly bytes: number }> {
  const before = inlet.heads.length;
  relay.reset();
  const begun = performance.now();
  expect(await work()).toEqual([]);
  const looked = inlet.heads.length - before;
  say(what, begun, `${looked} mails sifted, ${relay.down} bytes`);
  return { looked, bytes: relay.down };
}

function say(what: string, begun: number, and: string): void {
  console.log(`${MAILS} mails, ${what}: ${Math.round(performance.now() - begun)} ms, ${and}`);
}
