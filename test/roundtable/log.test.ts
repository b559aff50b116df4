import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RoundtableLog, readSealed, sealedText } from '../../src/roundtable/log.ts';
import { newLog } from '../../src/roundtable/session.ts';
import { Seal } from '../../src/vault/seal.ts';
import '../support/laws.ts';
import { briefingText, Hall, SEAL } from './support.ts';

const FOLDER = 'roundtable/tiles';

function aLog(): RoundtableLog {
  const settings = {
    noEvidence: null,
    recorded: false,
    models: { agents: 'a', judge: 'j' },
    limits: { budget_per_agent: 3, timeout_seconds: 1, patience_seconds: 1 },
  };
  const log = newLog({ briefing: new Hall(briefingText()).briefing, settings, now: () => 0 }, 'steward-action-x');
  log.entries.push({ what: 'note', at: '2026-11-01T10:00:00Z', round: 1, text: 'it rained' });
  log.written['roundtable/tiles/scoreboard.md'] = ['0'.repeat(64)];
  return log;
}

describe('the log of a roundtable', () => {
  test('is read as it was written, by whoever has the key', () => {
    const log = aLog();
    const text = sealedText(log, FOLDER, SEAL);
    expect(readSealed(JSON.parse(text), FOLDER, SEAL)).toEqual(log);
    expect(readSealed(JSON.parse(text), 'roundtable/other', SEAL)).toBe('foreign');
    expect(readSealed(JSON.parse(text), FOLDER, new Seal(Buffer.alloc(32, 8)))).toBe('foreign');
    expect(readSealed({ ...log }, FOLDER, SEAL)).toBe('foreign');
    expect(readSealed({ seal: 'x' }, FOLDER, SEAL)).toBeNull();
  });

  test('is never read as anything else: one changed character, and it is foreign or no log', () => {
    const log = aLog();
    const text = sealedText(log, FOLDER, SEAL);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'0a"}]: ,xA'), (at, char) => {
        const read = readSealed(parsed(text.slice(0, at) + char + text.slice(at + 1)), FOLDER, SEAL);
        if (read !== 'foreign' && read !== null) expect(read).toEqual(log);
      }),
    );
  });
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
