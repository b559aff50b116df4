import { z } from 'zod';
import type { Mind } from './local-server.ts';
import { SAMPLES, type Sample } from './sample-mails.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const shown = z.object({ subject: z.string(), text: z.string(), written: z.string() });
const note = z.object({ note: z.string(), kind: z.string(), name: z.string() });

/** How a model writes what it has read. `misreads`: the samples that it gets wrong. */
interface Habits {
  readonly writes: (signals: readonly object[]) => string;
  readonly misreads?: readonly string[];
}

/** Returns a model that reads the built-in mails as a careful person does, but for some, and writes as small models do. */
export function sampleReader({ writes, misreads = [] }: Habits): Mind {
  return ({ system, question }) => {
    if (system.includes('whether you can answer')) return 'Sure!\n```json\n{"ready": true}\n```';
    // Without the rules it says what any model would say.
    if (!question.includes('<event>')) return 'What a lot of timber! How can I help you?';
    const mail = shown.parse(JSON.parse(/<event>\n(.*)\n<\/event>/.exec(question)?.[1] ?? ''));
    const lines = /<notes>\n([^<]*)\n<\/notes>/.exec(question)?.[1]?.split('\n') ?? [];
    const notes = lines.map((line) => note.parse(JSON.parse(line)));
    const sample = SAMPLES.find(({ text }) => mail.text.startsWith((text.split('{day}')[0] ?? '').slice(0, 60)));
    if (sample === undefined) return writes([]);
    const task = misreads.includes(sample.id) ? notes.find(({ kind }) => kind === 'task')?.name : sample.expect?.task;
    const meant = notes.find(({ name }) => name === task);
    return writes(meant === undefined ? [] : [signalOf(sample, meant.note, mail)]);
  };
}

function signalOf({ expect, text }: Sample, name: string, mail: z.infer<typeof shown>): object {
  const [, , quote = ''] = text.split('\n');
  const day = new Date(Date.parse(mail.written.split(' ')[1] ?? '') + 18 * DAY_MS).toISOString().slice(0, 10);
  const changes = expect?.change === 'moved' ? { due: day } : { state: expect?.change ?? 'done' };
  return {
    ...{ note: name, note_confidence: '0.9', effect_confidence: '90%', reasoning: 'It says so.' },
    ...{ quote: `“${quote.split('{day}')[0]?.slice(0, 45)}”`, changes },
  };
}
