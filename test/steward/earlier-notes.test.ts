import { expect, test } from 'vitest';
import { stem } from '../../src/vault/layout.ts';
import { Clock, HOUR } from '../support/clock.ts';
import { closed, HOUSE, masked, signal, task, weak } from '../support/notes.ts';
import { earlierForm } from '../support/record.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';

// Event notes that a version before `record` wrote: every field is a property of its own.

/** A vault with one event note in the earlier form, as this version finds it. */
async function scene(said: string) {
  const vault = new TempVault({ ...HOUSE, 'task/pay.md': task({ due: '2035-12-01' }), 'signal/s.md': said });
  const clock = new Clock();
  const before = await Bench.open(vault, { clock });
  await before.tick();
  before.close();
  const event = only(vault.events());
  const note = earlierForm(vault.read(event));
  expect(note).not.toMatch(/^record:/m);
  vault.write(event, note);
  return { vault, clock, event, note, bench: await Bench.open(vault, { clock }) };
}

/** The same text, with `says` masked where the earlier form has it. */
const maskedHere = (text: string) => masked(text).replace(/^says: .*$/m, 'says: …');

test('is the program’s own, and is confirmed; only what may change does, and it gets no record', async () => {
  const { vault, bench, event, note } = await scene(weak());
  expect(bench.openProposals()).toHaveLength(1);
  expect(await bench.confirm(stem(event))).toMatchObject({ outcome: 'confirmed' });
  expect(maskedHere(vault.read(event))).toBe(maskedHere(closed(note, 'confirmed')));
  const answer = only(vault.events('steward-action-confirmed'));
  expect(Object.keys(vault.properties(answer))).toContain('record');
  expect(await bench.undo(stem(answer))).toMatchObject({ outcome: 'reversed' });
  expect(vault.fields('task/pay.md').state).toBe('open');
});

test('teaches what a person makes of it by hand, and keeps its mark', async () => {
  const due = { raw_quote: 'moved', mutation_proposal: { class: 'context_edit', set: { due: '2035-12-24' } } };
  const { vault, bench, event } = await scene(weak(due));
  vault.edit('task/pay.md', '2035-12-01', '2035-12-24');
  await bench.tick();
  expect(vault.properties(event)).toMatchObject({ taught: 'right', taught_by: 'made by hand' });
  expect(vault.properties(event)).not.toHaveProperty('record');
  const again = await Bench.open(vault, { clock: new Clock() });
  expect(again.catalogue.get(event)).toMatchObject({ fields: { taught: 'right' } });
});

test('an action is taken back to the byte', async () => {
  const { vault, clock, bench, event } = await scene(signal({ effect_confidence: 1 }));
  expect(vault.fields('task/pay.md').state).toBe('done');
  clock.move(HOUR);
  expect(await bench.undo(stem(event))).toMatchObject({ outcome: 'reversed' });
  expect(vault.read('task/pay.md')).toBe(task({ due: '2035-12-01' }));
});
