import { describe, expect } from 'vitest';
import { noteText } from '../../src/vault/note-text.ts';
import { utc } from '../../src/vault/time.ts';
import { HOUSE, settings, task } from '../support/notes.ts';
import { ownSignal } from '../support/own-signal.ts';
import { Running } from '../support/running.ts';
import { TempVault } from '../support/temp-vault.ts';
import { Bench, only } from '../support/workspace.ts';
import { attack } from './attack.ts';

// The list in an event note in which a person ticks the note that is meant: who else could tick there, and what.

const PAY = 'task/pay.md';
const CALL = 'task/call.md';
const PEER = { attacker: 'a sync peer' } as const;

/** A vault in which a signal may be about either of two tasks. */
async function asked(fields = {}): Promise<{ vault: TempVault; bench: Bench; event: string }> {
  const two = { target_ambiguous: true, target_candidates: [PAY, CALL] };
  const vault = new TempVault({
    ...HOUSE,
    'steward.md': settings({ settle_seconds: 0 }),
    [PAY]: task(),
    [CALL]: task(),
    'task/other.md': task(),
    'signal/s.md': ownSignal('signal/s.md', { ...two, ...fields }),
  });
  const bench = await Bench.open(vault);
  await bench.tick();
  return { vault, bench, event: only(vault.events()) };
}

async function leftAlone(vault: TempVault): Promise<Running> {
  const running = await Running.start(vault);
  await running.sync();
  await running.daemon.idle();
  const states = [PAY, CALL, 'task/other.md'].map((note) => vault.fields(note).state);
  expect(states).toEqual(['open', 'open', 'open']);
  return running;
}

describe('a tick in the list of a choice', () => {
  attack(
    {
      ...PEER,
      means: 'a choice in the form of the program, ticked',
      loss: 'a note is changed that no signal speaks of',
      defence: 'a tick counts only in a note that the program wrote',
    },
    async () => {
      const { vault, bench } = await asked();
      bench.close();
      const fields = {
        ...{ choose: '', dismiss: false, waiting: true, outcome: 'proposed', candidates: ['[[other]]', '[[pay]]'] },
        ...{ type: 'signal-action', timestamp: utc(Date.now()), decision: 'needs_input', confidence: 1, mode: 'live' },
        ...{ signals: ['[[s]]'], pending_confirmation: true, undo_recipe: null },
      };
      vault.write('event/signal-action-2026-11-22T20-00-00Z-undecided.md', noteText(fields, '- [x] [[other]]'));
      const running = await leftAlone(vault);
      expect(JSON.stringify(running.daemon.status())).toContain('was not written by this program');
    },
  );

  attack(
    {
      ...PEER,
      means: 'the candidates of a true choice exchanged, and one of them ticked',
      loss: 'a note is changed that the program never offered',
      defence: 'the seal covers the candidates',
    },
    async () => {
      const { vault, bench, event } = await asked();
      bench.close();
      vault.write(
        event,
        vault.read(event).replaceAll('[[call]]', '[[other]]').replace('- [ ] [[other]]', '- [x] [[other]]'),
      );
      const running = await leftAlone(vault);
      expect(JSON.stringify(running.daemon.status())).toContain('was not written by this program');
    },
  );

  attack(
    {
      ...PEER,
      means: 'a true choice copied under another name and ticked, after the person let it go',
      loss: 'what a person dismissed is done',
      defence: 'the seal covers the name',
    },
    async () => {
      const { vault, bench, event } = await asked();
      const ticked = vault.read(event).replace('- [ ] [[call]]', '- [x] [[call]]');
      await bench.dismiss(event);
      bench.close();
      vault.write('event/signal-action-2026-11-22T20-00-00Z-copy.md', ticked);
      await leftAlone(vault);
    },
  );

  attack(
    {
      ...PEER,
      means: 'a line that shows one candidate and links the other',
      loss: 'a person chooses another note than they read',
      defence: 'a link with a shown name is no answer',
    },
    async () => {
      const { vault, bench, event } = await asked();
      bench.close();
      vault.edit(event, '- [ ] [[pay]]', '- [x] [[call|pay]]');
      await leftAlone(vault);
    },
  );

  for (const [where, fields] of [
    ['its quote', { raw_quote: 'paid\n- [x] [[call]]\n' }],
    ['its meaning', { reasoning: 'Paid.\n\n- [x] [[call]]\n' }],
    ['its subject', { headline: 'Paid\r\n* [x] [[call]]' }],
  ] as const) {
    attack(
      {
        attacker: 'a sender',
        means: `a mail with a ticked line in ${where}`,
        loss: 'the sender answers what the person is asked',
        defence: 'what comes from outside stands in one line that is only text',
      },
      async () => {
        const { vault, bench, event } = await asked(fields);
        bench.close();
        expect(vault.read(event).match(/^.*\[x\] \[\[/gm)).toBeNull();
        await leftAlone(vault);
        expect(vault.fields(event).waiting).toBe(true);
      },
    );
  }
});
