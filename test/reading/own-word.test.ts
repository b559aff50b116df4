import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { eventText } from '../../src/providers/extractor.ts';
import { onlyAskedAt, ownWordFindings } from '../../src/reading/own-word.ts';
import { heldToOwnWord, readByRules } from '../../src/reading/read-event.ts';
import { TargetIndex } from '../../src/reading/targets.ts';
import type { Meaning, StreamEvent } from '../../src/steward/types.ts';
import { parseMail } from '../../src/streams/mail.ts';
import { candidate } from '../support/events.ts';
import { LEARNT } from '../support/learnt.ts';

const cases = z
  .array(
    z.strictObject({
      to: z.string(),
      text: z.string(),
      task: z.string().optional(),
      done: z.literal(true).optional(),
      due: z.string().optional(),
      asked: z.literal(true).optional(),
      state: z.string().optional(),
    }),
  )
  .parse(load(readFileSync(new URL('cases/own-word.yaml', import.meta.url), 'utf8')));

/** Matters by the address that they name, with their tasks. */
const MATTERS: Readonly<Record<string, readonly [name: string, ...tasks: string[]]>> = {
  'anna@notary.example': ['House purchase', 'Pay the notary invoice', 'Sign deed of sale', 'Viewing of the flat'],
  'claims@insurer.example': ['Insurance', 'Send the insurance form'],
  'vermieter@haus.example': ['Umzug', 'Kaution überweisen'],
  'plombier@eau.example': ['Salle de bain', 'Payer la facture du plombier'],
  'seguro@ejemplo.example': ['Seguro', 'Enviar la póliza'],
  'modulo@esempio.example': ['Palestra', 'Inviare la disdetta'],
  'post@voorbeeld.example': ['Gemeente', 'Huurcontract opsturen'],
  'verwaltung@miete.example': ['Wohnungssuche', 'Besichtigung der Wohnung'],
};
const index = new TargetIndex();
for (const [sender, [name, ...tasks]] of Object.entries(MATTERS)) {
  const path = `matter/${name}.md`;
  index.add(candidate({ path, senders: [sender] }));
  for (const task of tasks) index.add(candidate({ path: `task/${task}.md`, matterPath: path }));
}

async function sent(to: string, text: string, sourceType = 'sent'): Promise<StreamEvent> {
  const head = ['From: Robin <robin@home.example>', `To: ${to}`, 'Date: Mon, 30 Nov 2026 09:00:00 +0000'];
  const mail = [...head, 'Message-ID: <1@home.example>', 'Subject: Hello', '', text, ''].join('\n');
  const door = { sourceType, trustedServers: [], ...(sourceType === 'sent' && { sentFolder: 'inbox' }) };
  const read = await parseMail('stream/inbox/1.eml', Buffer.from(mail), door);
  if (!read.ok) throw new Error(read.trouble.message);
  return read.event;
}

describe('a mail that the user sent', () => {
  test.each(cases)('to $to: $text', async ({ to, text, task, done, due, asked, state }) => {
    const { meanings } = readByRules(await sent(to, text), { index, learnt: LEARNT });
    const set = done === true ? { state: 'done' } : due === undefined ? { current_state: state } : { due };
    const changes = meanings.flatMap(({ proposal, target, ambiguous, candidates }) => ({
      set: proposal?.set,
      task: target,
      // With one note to choose from, it is a question whether that is so.
      asked: ambiguous && candidates.length === 1,
    }));
    if (task === undefined) return expect(changes).toEqual([]);
    expect(changes).toContainEqual({ set, task: `task/${task}.md`, asked: asked === true });
    expect(changes.filter((one) => JSON.stringify(one.set) !== JSON.stringify(set))).toEqual([]);
    expect(changes.every((one) => one.asked === (asked === true))).toBe(true);
  });

  test('leads to its notes by the recipients, never by who sent it', async () => {
    const own = new TargetIndex();
    own.add(candidate({ path: 'matter/Robin.md', senders: ['robin@home.example'] }));
    own.add(candidate({ path: 'task/Post the letter.md', matterPath: 'matter/Robin.md' }));
    const event = await sent('claims@insurer.example', 'It is done.');
    expect(readByRules(event, { index: own, learnt: LEARNT }).meanings).toEqual([]);
    const [meaning] = readByRules(await sent('claims@insurer.example', 'I will send the form by Friday.'), {
      index,
      learnt: LEARNT,
    }).meanings;
    expect(meaning?.reasoning).toContain('The recipient');
  });

  test('asks others, not the user; the same words in a mail that arrived ask the user', async () => {
    const text = 'Could you please send me the signed deed of sale?';
    const arrived = readByRules(await sent('anna@notary.example', text, 'mail'), { index, learnt: LEARNT });
    expect(arrived.meanings.map(({ proposal }) => proposal)).toEqual([null]);
  });
});

describe('what a model reads in it', () => {
  const meaning: Meaning = {
    target: 'task/Send the insurance form.md',
    candidates: ['task/Send the insurance form.md'],
    ambiguous: false,
    targetConfidence: 0.95,
    targetEvidence: ['model', 'name'],
    targetNear: true,
    endsMatter: false,
    quote: '',
    proposal: { class: 'state_change', set: { state: 'done' }, add: {}, remove: {} },
    effectConfidence: 0.97,
    reasoning: '',
  };

  test('a promise is neither done nor a new day without asking', async () => {
    const text = 'I will send the insurance form by Friday. I have paid the fee.';
    const event = await sent('claims@insurer.example', text);
    const promised = { ...meaning, quote: 'I will send the insurance form by Friday' };
    expect(heldToOwnWord([promised], event)).toEqual([]);
    const day = { class: 'context_edit' as const, set: { due: '2026-12-04' }, add: {}, remove: {} };
    expect(heldToOwnWord([{ ...promised, proposal: day }], event)).toMatchObject([
      { ambiguous: true, doubts: ['You promise it in your own mail, so it is only a question.'] },
    ]);
    const paid = { ...meaning, quote: 'I have paid the fee' };
    expect(heldToOwnWord([paid], event)).toEqual([paid]);
  });

  test('a request is nobody’s task', async () => {
    const event = await sent('claims@insurer.example', 'Could you confirm the form?');
    expect(heldToOwnWord([{ ...meaning, proposal: null, quote: 'Could you confirm the form?' }], event)).toEqual([]);
  });

  test('the model is told whose words they are, of no other mail', async () => {
    const question = { candidates: [], now: Date.parse('2026-11-30T12:00:00Z') };
    const told = 'wrote and sent this mail: "I" is that person.';
    expect(eventText({ ...question, event: await sent('a@b.example', 'I paid.') })).toContain(told);
    expect(eventText({ ...question, event: await sent('a@b.example', 'I paid.', 'mail') })).not.toContain(told);
  });

  test('a mail that arrived is left as it was read', async () => {
    const event = await sent('robin@home.example', 'I will send it by Friday.', 'mail');
    expect(heldToOwnWord([{ ...meaning, quote: 'I will send it' }], event)).toHaveLength(1);
  });
});

test('long texts without an end are read in good time', async () => {
  const origin = { at: '2026-11-30T09:00', language: 'en', order: null } as const;
  for (const text of [
    'I will '.repeat(2000),
    'can we '.repeat(2000),
    'please '.repeat(2000),
    "let's a ".repeat(2000),
  ]) {
    const event = { ...(await sent('a@b.example', 'x')), text: text.slice(0, 16_000) };
    const begun = performance.now();
    ownWordFindings(event, origin);
    onlyAskedAt(event, 'nothing of it');
    expect(performance.now() - begun).toBeLessThan(1000);
  }
});
