import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Exchange, systemExchange } from '../../src/vault/files.ts';
import { sha256 } from '../../src/vault/note-text.ts';
import { Publisher } from '../../src/vault/publish.ts';
import { lawRuns } from '../support/laws.ts';

const RUNS = lawRuns();

/** What somebody else does to the note at one moment of a publish. */
type Meddling = { readonly how: 'in-place' | 'rename' | 'delete' | 'nothing' };
const meddling: fc.Arbitrary<Meddling> = fc.record({
  how: fc.constantFrom('in-place', 'rename', 'delete', 'nothing', 'nothing'),
});

/*
 * LAW: whatever is written to a note around a publish, each text that anybody wrote last over what they saw is found
 * again in the note or in the history; and a publish that says done has left its own bytes or a later writer's.
 */
test('nothing typed is ever lost', () => {
  fc.assert(
    fc.property(
      fc.record({ first: meddling, second: meddling, before: meddling, byExchange: fc.boolean() }),
      ({ first, second, before, byExchange }) => {
        const root = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'vs-law-'));
        try {
          publishAmong(root, { before, first, second, byExchange });
        } finally {
          fs.rmSync(root, { recursive: true, force: true });
        }
      },
    ),
    { numRuns: RUNS },
  );
});

interface Among {
  readonly before: Meddling;
  readonly first: Meddling;
  readonly second: Meddling;
  readonly byExchange: boolean;
}

function publishAmong(root: string, { before, first, second, byExchange }: Among): void {
  const [tmp, history, note] = [path.join(root, 'tmp'), path.join(root, 'history'), path.join(root, 'note.md')];
  fs.mkdirSync(tmp);
  fs.mkdirSync(history);
  fs.writeFileSync(note, 'judged');
  const typed: string[] = [];
  let deleted = false;
  const meddle = ({ how }: Meddling, text: string) => {
    deleted = how === 'delete' || (deleted && how === 'nothing');
    if (how === 'delete') fs.rmSync(note, { force: true });
    if (how === 'in-place' || how === 'rename') typed.push(text);
    if (how === 'in-place') fs.writeFileSync(note, text);
    if (how === 'rename') {
      fs.writeFileSync(`${note}.new`, text);
      fs.renameSync(`${note}.new`, note);
    }
  };
  const real = systemExchange();
  if (real === null) return;
  const turns = [first, second];
  const exchange: Exchange = (part, place) => {
    meddle(turns.shift() ?? { how: 'nothing' }, `typed ${turns.length}`);
    real(part, place);
  };
  meddle(before, 'typed before');
  const publisher = new Publisher({ root, tmp, history, exchange: byExchange ? exchange : null });
  const result = publisher.publish({
    path: 'note.md',
    beforeSha256: sha256('judged'),
    bytes: Buffer.from('ours'),
    keepAs: 'event',
    keptBefore: 0,
  });
  const now = fs.existsSync(note) ? fs.readFileSync(note, 'utf8') : null;
  const kept = fs.readdirSync(history).map((name) => fs.readFileSync(path.join(history, name), 'utf8'));
  // A text that its own writer's successor wrote over in place is that writer's to lose, so only the last is asked for.
  const last = typed.at(-1);
  if (last !== undefined && !deleted) expect([now, ...kept]).toContain(last);
  if (result.done) expect(now).toBe('ours');
  else expect(now).not.toBe('ours');
  if (result.done) expect(kept).toContain('judged');
  expect(fs.readdirSync(tmp)).toEqual([]);
}
