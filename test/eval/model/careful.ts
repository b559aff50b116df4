import { z } from 'zod';
import { type Request, type Script, textOf } from '../../providers/messages-server.ts';
import type { MailCase } from '../case.ts';

const note = z.object({ note: z.string(), name: z.string() });
const event = z.object({ subject: z.string(), from: z.string().nullable(), text: z.string() });

/** Returns the script of a model that reads as the cases expect: whatever is lost then was lost by the search or the checks. */
export function carefulScript(mails: readonly MailCase[]): Script {
  return (asked) => ({
    do: 'say',
    text: JSON.stringify({ signals: findCase(mails, asked).expect.map((expected) => toSignal(asked, expected)) }),
  });
}

/** Returns the case that a question is about, found by its words. */
function findCase(mails: readonly MailCase[], asked: Request): MailCase {
  const written = /<event>\n([^\n]*)\n<\/event>/.exec(textOf(asked))?.[1] ?? '{}';
  const shown = event.parse(JSON.parse(written));
  const found = mails.filter(({ subject, from }) => subject.trim() === shown.subject && from === shown.from);
  // A question shows only the author's own words, without the quoted history: so the case that has most of its words.
  const words = shown.text.split(/\s+/);
  const common = ({ text, html }: MailCase) =>
    words.filter((word) => text.includes(word) || html.includes(word)).length;
  const [best] = found.toSorted((one, other) => common(other) - common(one));
  if (best === undefined) throw new Error(`no case is about ${written}`);
  return best;
}

function toSignal(asked: Request, expected: MailCase['expect'][number]) {
  const lines = /<notes>\n([^<]*)\n<\/notes>/.exec(textOf(asked))?.[1]?.split('\n') ?? [];
  const notes = lines.map((line) => note.parse(JSON.parse(line)));
  return {
    note: notes.find(({ name }) => name === expected.note)?.note ?? 'none of them',
    ...{ or_notes: [], note_confidence: 0.95, effect_confidence: 0.95, reasoning: 'It says so.' },
    quote: expected.quote,
    changes: Object.entries(expected.set ?? {}).map(([field, value]) => ({ field, op: 'set', value })),
  };
}
