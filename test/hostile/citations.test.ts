import { describe, expect } from 'vitest';
import { checkCitations } from '../../src/roundtable/citations.ts';
import { bestTime } from '../support/own-time.ts';
import { TempVault } from '../support/temp-vault.ts';
import { attack } from './attack.ts';

const BRIEFING = [{ file: 'roundtable/gate/briefing.md', text: 'The gate lies in lib/gate.ts.' }];

function reasons(text: string): (string | null)[] {
  const vault = new TempVault({
    'lib/gate.ts': 'export function gate() {}\n',
    'private/keys.md': '# Passwords\n\nswordfish\n',
  });
  const files = [{ path: 'lib/gate.ts', root: vault.root }];
  return checkCitations([{ agent: 'ada', text }], BRIEFING, files).map(({ reason }) => reason);
}

describe('what agents cite', () => {
  attack(
    {
      attacker: 'a model',
      means: 'cites files that are not registered, to learn by the reason whether they are there and what they hold',
      loss: 'what lies in the vault and beside it',
      defence: 'only registered files are looked at; of all others the reason is the same',
    },
    () => {
      const cited = ['private/keys.md:3', 'private/none.md:3', '../../../etc/passwd.txt:1', '/etc/hosts.conf:1'];
      expect(reasons(cited.map((one) => `${one} says \`swordfish\`.`).join('\n'))).toEqual(
        cited.map((one) => `${one.replace(/:\d$/, '')} is not among the registered files.`),
      );
    },
  );

  attack(
    {
      attacker: 'a model',
      means: 'writes a message of nothing but the beginnings of places, so that looking for them takes for ever',
      loss: 'the time of the daemon',
      defence: 'every pattern is bounded',
    },
    () => {
      const parts = [
        'a/',
        '`a` in ',
        '`a.',
        'section "A',
        'the A a ',
        'line 1 of ',
        'a.md:',
        'a-',
        '@.',
        "a.md's A ",
        'no ',
        '```\n',
        '"a ',
      ];
      for (const part of parts) {
        const text = part.repeat(16_000 / part.length);
        expect(
          bestTime(() => reasons(text), 2),
          part,
        ).toBeLessThan(3_000);
      }
    },
  );

  attack(
    {
      attacker: 'a model',
      means: 'hides a made-up place behind more places than are looked for',
      loss: 'a place that nobody has checked passes as checked',
      defence: 'the first beyond the limit is flagged, and says so',
    },
    () => {
      const said = reasons(`${'See lib/gate.ts:1. '.repeat(100)}lib/none.ts says so, and lib/other.ts.`);
      expect(said.at(-1)).toContain('1 more behind it were not looked for');
    },
  );
});
