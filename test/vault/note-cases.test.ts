import fs from 'node:fs';
import path from 'node:path';
import yaml from 'js-yaml';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Layout } from '../../src/vault/layout.ts';
import { DEFAULT_MAPPING, readRecord, STATES } from '../../src/vault/record.ts';

/*
 * Each file of `note-cases/` is a note as people and other programs write it, and what is read in it: `kind`, and those of its
 * fields, or of its problem, that `expect` names.
 */
const FOLDER = path.join(import.meta.dirname, 'note-cases');
const noteCase = z
  .object({
    about: z.string(),
    file: z.string(),
    mapping: z.record(z.string(), z.string()).default(DEFAULT_MAPPING),
    words: z.array(z.object({ word: z.string(), state: z.enum(STATES) })).default([]),
    text: z.string(),
    expect: z.object({ kind: z.string() }).catchall(z.unknown()),
  })
  .strict();

const STAT = { mtimeMs: 0, ctimeMs: 0, size: 0, ino: 1 };

test.each(fs.readdirSync(FOLDER).filter((name) => name.endsWith('.yaml')))('%s', (name) => {
  const written = yaml.load(fs.readFileSync(path.join(FOLDER, name), 'utf8'), { schema: yaml.JSON_SCHEMA });
  const { about, file, mapping, words, text, expect: wanted } = noteCase.parse(written);
  for (const bytes of [text, text.replaceAll('\n', '\r\n')]) {
    const record = readRecord(new Layout(), mapping, file, STAT, Buffer.from(bytes), words);
    const shown = { kind: record.kind, ...(record.kind === 'bad' ? record.trouble : record.fields) };
    expect(shown, about).toMatchObject(wanted);
  }
});
