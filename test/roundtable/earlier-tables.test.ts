import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { listEntries } from '../../src/roundtable/log.ts';
import { Actors, answering, briefingText, FILE, Hall } from './support.ts';

/** Tables that an earlier version began and was killed in, file by file. The case of a name was kept in them. */
const TABLES = z
  .record(z.string(), z.record(z.string(), z.string()))
  .parse(JSON.parse(fs.readFileSync(path.join(import.meta.dirname, 'earlier-tables.json'), 'utf8')));

describe('a table that an earlier version began', () => {
  test.each(Object.keys(TABLES))('and was killed in: %s', async (cut) => {
    const files = TABLES[cut] ?? {};
    const hall = new Hall(files[FILE] ?? '', files);
    const agent = new Actors();
    const log = await hall.hold({ agent, evidence: answering({}) });
    expect(log.ended).toBe('max_rounds');
    const first = listEntries(log, 'said').filter((one) => one.phase === 'opening' && one.round === 1);
    expect(first.map(({ file }) => file?.path).sort()).toEqual([
      'roundtable/tiles/round-1/Ada.md',
      'roundtable/tiles/round-1/ben.md',
    ]);
    expect(hall.vault.names('roundtable/tiles/round-1')).toEqual(['Ada.md', 'ben.md']);
    expect(agent.asked('Round 2, review')).toContain('Ada is right');
  });
});

test('an agent’s file has its name in lower case', async () => {
  const hall = new Hall(briefingText({ agents: ['Ada', 'BEN'] }));
  const log = await hall.hold({ agent: new Actors() });
  expect(hall.vault.names('roundtable/tiles/round-1')).toEqual(['ada.md', 'ben.md']);
  expect(hall.vault.fields('roundtable/tiles/round-1/ada.md')).toMatchObject({ agent: 'Ada' });
  expect(listEntries(log, 'said').find(({ who }) => who === 'BEN')?.file?.path).toBe('roundtable/tiles/round-1/ben.md');
});
