import fs from 'node:fs';
import path from 'node:path';
import yaml from 'js-yaml';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readAppointment } from '../../src/streams/appointments.ts';
import { candidate, sampleIndex } from '../support/events.ts';
import { calendar, eventsIn } from './calendars.ts';

// Each file of `series-cases/` is a calendar with a series, and the dates that it gives the task of its name.
const FOLDER = path.join(import.meta.dirname, 'series-cases');
const seriesCase = z
  .object({
    about: z.string(),
    now: z.string(),
    /** The date that the task has. */
    due: z.string().nullable().default(null),
    entries: z.string(),
    dates: z.array(z.string()),
  })
  .strict();

test.each(fs.readdirSync(FOLDER).filter((name) => name.endsWith('.yaml')))('%s', async (name) => {
  const written = yaml.load(fs.readFileSync(path.join(FOLDER, name), 'utf8'), { schema: yaml.JSON_SCHEMA });
  const { about, now, due, entries, dates } = seriesCase.parse(written);
  const index = sampleIndex(candidate({ path: 'task/Water the plants.md', due, scheduled: null }));
  const events = await eventsIn(calendar(...entries.trimEnd().split('\n')), { now: Date.parse(now) });
  const meanings = events.flatMap(({ event }) => readAppointment(event, index, now.slice(0, 16)).meanings);
  expect(
    meanings.map(({ proposal }) => proposal?.set.due),
    about,
  ).toEqual(dates);
});
