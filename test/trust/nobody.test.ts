import { expect, test } from 'vitest';
import { findSilence } from '../../src/steward/instinct.ts';
import { readStream } from '../../src/streams/read-stream.ts';
import { unreadStreams } from '../../src/streams/streams.ts';
import { HOUSE, instinct, PAID_MAIL, task } from '../support/notes.ts';
import { ownSignal } from '../support/own-signal.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench } from '../support/workspace.ts';

const BILLING = 'mail:billing@roof.example';

// A channel is where every sender starts of whom nothing is known yet: strangers must not be able to close it.

test('mails that name no one sender, each dismissed, silence nobody else', async () => {
  const vault = new TempVault(HOUSE);
  const from = 'From: eve@evil.example, billing@roof.example';
  const names = ['one', 'two', 'three', 'four', 'five'];
  for (const name of names) {
    vault.write(`task/${name}.md`, task());
    const mail = PAID_MAIL.replaceAll('[[pay]]', `[[${name}]]`).replace(/^From: .*$/m, from);
    vault.write(`stream/${name}.eml`, mail.replace('<1@', `<${name}@`));
  }
  const bench = await Bench.open(vault);
  await bench.sweep();
  for (const file of unreadStreams(bench.ports)) await readStream(bench.ports, file, new AbortController().signal);
  await bench.tick();
  const proposals = bench.openProposals();
  expect(proposals).toHaveLength(names.length);
  for (const { event } of proposals) await bench.dismiss(event.path);
  await bench.sweep();
  expect(findSilence(bench.ports, BILLING)).toBeNull();
});

test('nor do any number of strangers, each dismissed once', async () => {
  const vault = new TempVault({ ...HOUSE, 'instinct/mail.md': instinct('mail', { confidence: 0.22 }) });
  const bench = await Bench.open(vault);
  for (let nth = 0; nth < 4; nth += 1) {
    vault.write(`task/t${nth}.md`, task());
    const path = `signal/s${nth}.md`;
    const said = { pattern: `eve${nth}@evil.example`, raw_quote: `${nth}`, target_path: `task/t${nth}.md` };
    vault.write(path, ownSignal(path, { ...said, effect_confidence: 0.8, target_evidence: ['words'] }));
  }
  await bench.tick();
  for (const { event } of bench.openProposals()) await bench.dismiss(event.path);
  await bench.sweep();
  expect(findSilence(bench.ports, BILLING)).toBeNull();
});
