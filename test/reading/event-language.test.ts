import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readByPhrases } from '../../src/reading/read-event.ts';
import { eventWith, sampleIndex } from '../support/events.ts';

const cases = z
  .array(
    z.strictObject({
      name: z.string(),
      text: z.string(),
      room: z.string().exactOptional(),
      read: z.boolean(),
    }),
  )
  .parse(load(readFileSync(new URL('cases/two-languages.yaml', import.meta.url), 'utf8')));

test.each(cases)('the language of a sentence decides whether it is read: $name', ({ text, room, read }) => {
  const chat = room === undefined ? {} : { subject: `${room}: ${text}`, spoken: { room, isPersonal: false } };
  const { meanings, skipped } = readByPhrases(eventWith({ text: text.trim(), ...chat }), sampleIndex());
  const targets = meanings.map(({ target }) => target);
  expect({ targets, skipped: read ? null : skipped }).toEqual({
    targets: read ? ['task/Pay deposit invoice.md'] : [],
    skipped: read ? null : expect.any(String),
  });
});

test('a mail of which no sentence is read says in which language it is', () => {
  const text = 'Kære Sam, vi har desværre ikke hørt fra dig, og vi beder dig om at skrive til os hurtigst muligt.';
  expect(readByPhrases(eventWith({ text }), sampleIndex()).skipped).toMatch(/^written in \w+, which is not read$/);
});

test('a mail with a notice in another language is not called by that language', () => {
  const text = `Dear Sam, thank you for your letter of last Monday.\n\n${cases[0]?.text.split('\n\n').at(-1) ?? ''}`;
  expect(readByPhrases(eventWith({ text }), sampleIndex()).skipped).toBe('no news for a matter');
});
