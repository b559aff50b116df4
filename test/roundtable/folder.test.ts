import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Folder } from '../../src/roundtable/notes.ts';
import { Actors, briefingText, Hall, SEAL } from './support.ts';

const SCORES = 'roundtable/tiles/scoreboard.md';
const MINE = 'A line by hand.\n';

/** A hall after one roundtable, whose folder meets somebody who types at the instant of publishing. */
async function typedInto(replace: (hall: Hall, file: string) => boolean) {
  const hall = new Hall(briefingText());
  await hall.hold({ agent: new Actors() });
  const folder = new Folder({
    root: hall.vault.root,
    tmp: hall.vault.places.tmp,
    home: 'roundtable',
    folder: 'roundtable/tiles',
    seal: SEAL,
    demand: () => {},
    replace: (file) => replace(hall, file),
  });
  return { hall, folder, log: hall.log() };
}

describe('a file of a roundtable', () => {
  test('that somebody is typing into is left to them, and taken for theirs from then on', async () => {
    const { hall, folder, log } = await typedInto((own, file) => {
      fs.appendFileSync(own.vault.at(file), MINE);
      return false;
    });
    expect(() => folder.write(log, SCORES, 'ours')).toThrow('leaves it as it is');
    expect(hall.vault.read(SCORES)).toContain(MINE);
    expect(folder.ownBytes(log, SCORES)).toBeNull();
    expect(() => folder.write(log, SCORES, 'ours')).toThrow('leaves it as it is');
  });

  test('is read from its own folder only, and through no link', async () => {
    const { hall, folder } = await typedInto(() => false);
    hall.vault.write('private.md', 'mine\n');
    fs.symlinkSync('../../private.md', hall.vault.at('roundtable/tiles/link.md'));
    fs.symlinkSync('../..', hall.vault.at('roundtable/tiles/up'));
    for (const file of ['private.md', 'link.md', 'up/private.md', '../../private.md'])
      expect(folder.read(folder.at(file)), file).toBeNull();
    expect(folder.read('private.md')).toBeNull();
    expect(folder.read(SCORES)?.length).toBeGreaterThan(0);
  });

  test('is written through no link, and no folder is made behind one', async () => {
    const { hall, folder, log } = await typedInto(() => false);
    fs.mkdirSync(path.join(hall.vault.home, 'elsewhere'));
    fs.mkdirSync(hall.vault.at('matter'));
    fs.symlinkSync('../../matter', hall.vault.at('roundtable/tiles/in'));
    fs.symlinkSync('../../../elsewhere', hall.vault.at('roundtable/tiles/out'));
    for (const name of ['in/a.md', 'in/deep/a.md', 'out/a.md', 'out/deep/a.md'])
      expect(() => folder.write(log, folder.at(name), 'x'), name).toThrow(/link|leads out/);
    expect(fs.readdirSync(path.join(hall.vault.home, 'elsewhere'))).toEqual([]);
    expect(hall.vault.names('matter')).toEqual([]);
  });

  test('may lie behind a link of the whole folder, as long as that stays in the vault', async () => {
    const hall = new Hall(briefingText());
    hall.vault.rename('roundtable', 'tables');
    fs.symlinkSync('tables', hall.vault.at('roundtable'));
    const log = await hall.hold({ agent: new Actors() });
    expect(log.ended).toBe('max_rounds');
    expect(hall.vault.names('tables/tiles')).toContain('scoreboard.md');
  });
});
