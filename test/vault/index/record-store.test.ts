import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RecordStore } from '../../../src/vault/catalogue.ts';
import { DEFAULT_MAPPING, readRecord, type VaultRecord } from '../../../src/vault/index/record.ts';
import { Layout } from '../../../src/vault/layout.ts';
import { lawRuns } from '../../support/laws.ts';
import { HOUSE, instinct, reversal, signal } from '../../support/notes.ts';
import { TempVault } from '../../support/temp-vault.ts';
import { Bench } from '../../support/workspace.ts';

/** One record of each kind, as the program reads them from notes that it wrote. */
async function records(): Promise<VaultRecord[]> {
  const vault = new TempVault({ ...HOUSE, 'signal/s1.md': signal(), 'instinct/mail.md': instinct('mail') });
  const bench = await Bench.open(vault);
  await bench.route('signal/s1.md');
  vault.write('event/steward-action-reversed-x.md', reversal('[[nothing]]', { undo: true }));
  vault.write('event/steward-action-confirmed-x.md', '---\ntype: steward-action-confirmed\n---\n');
  vault.write('task/bad.md', '---\nstate: [\n---\n');
  bench.close();
  const files = ['matter', 'task', 'signal', 'event', 'instinct'].flatMap((folder) =>
    vault.names(folder).map((name) => path.posix.join(folder, name)),
  );
  return files.map((file) => {
    const stat = fs.statSync(vault.at(file));
    const { mtimeMs, ctimeMs, size, ino } = stat;
    return readRecord(new Layout(), DEFAULT_MAPPING, file, { mtimeMs, ctimeMs, size, ino }, vault.bytes(file));
  });
}

test('LAW: what was put comes back the same, packed or not, however often places are given free', async () => {
  const all = await records();
  expect(new Set(all.map(({ kind }) => kind)).size).toBeGreaterThan(5);
  const act = fc.record({ put: fc.boolean(), nth: fc.nat({ max: all.length - 1 }), copy: fc.nat({ max: 3 }) });
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const [store, model] = [new RecordStore(), new Map<string, VaultRecord>()];
      for (const { put, nth, copy } of acts) {
        const record = { ...(all[nth] as VaultRecord) };
        const path = `${record.path.slice(0, -3)}${copy === 0 ? '' : copy}.md`;
        const name = path.slice(path.lastIndexOf('/') + 1, -3);
        if (put) {
          store.put({ ...record, path, name });
          model.set(path, { ...record, path, name });
        } else {
          store.delete(path);
          model.delete(path);
        }
      }
      expect(store.size).toBe(model.size);
      for (const [path, record] of model) expect(store.get(path)).toEqual(record);
      expect(new Map([...store.entries()].map((record) => [record.path, record]))).toEqual(model);
      for (const [path, { stat }] of model) expect(store.statOf(path)).toEqual(stat);
    }),
    { numRuns: lawRuns(40) },
  );
});
