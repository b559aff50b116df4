import { z } from 'zod';
import { DECISIONS, type Perceiving, type Question, type Verdict } from '../../steward/ports/evaluator.ts';
import type { Inquiry } from '../model.ts';
import { plainLine } from '../plain.ts';
import { askAgain } from '../prompts/evaluate.ts';
import { PERCEIVE } from '../prompts/perceive.ts';
import { quoted } from '../quoted-data.ts';
import { type Read, stricter } from '../reply.ts';
import { FULL, noteData, shownFields } from './question-text.ts';

const MAX_REASONING = 600;
const MAX_TOKENS = 2048;

/** The schema of a model's answer: without changes, so that none can be named. */
const perception = z.object({
  note: z.string().describe('The path of the note, exactly as given.'),
  decision: z.enum(DECISIONS),
  confidence: z.number().min(0).max(1),
  reasoning: z.string(),
});
type Perception = z.infer<typeof perception>;

/** A question about a note for which there is no signal. */
type PerceivingQuestion = Question & { readonly perceiving: Perceiving };

/** Whether a note is looked at for what it shows by itself. */
export function isPerceiving(question: Question): question is PerceivingQuestion {
  return question.perceiving !== undefined;
}

/** Returns what a model is asked about a note for which there is no signal. */
export function perceivingInquiry(question: PerceivingQuestion): Inquiry<Perception, Verdict> {
  return {
    system: [PERCEIVE.system],
    name: 'perception',
    schema: perception,
    question: () => perceivingText(question),
    again: askAgain,
    conclude: (said) => perceived(said, question),
    maxTokens: MAX_TOKENS,
    now: question.now,
  };
}

/** Returns what the rules make of a note for which there is no signal: what the question says that they do. */
export function ruledOn({ byRules }: Perceiving): Verdict {
  const nothing = { decision: 'still_active' as const, confidence: 1, reasoning: 'Rules: It shows nothing by itself.' };
  return { ...(byRules ?? nothing), ...BARE };
}

/** Without a signal there is no evidence, nobody to teach, and no change. */
const BARE = { evidence: [], source_contributions: {}, changes: [] };

function perceived({ note, decision, confidence, reasoning }: Perception, { target }: Question): Read<Verdict> {
  if (note.normalize('NFC').trim() !== target.path.normalize('NFC')) {
    return stricter('it names another note than the one in question.');
  }
  return { ok: true, value: { decision, confidence, reasoning: plainLine(reasoning, MAX_REASONING), ...BARE } };
}

function perceivingText({ target, perceiving: { facts, matter }, now }: PerceivingQuestion): string {
  const shown = matter === null ? 'null' : quoted({ fields: shownFields(matter, FULL) }, FULL.fields);
  return [
    `It is ${new Date(now).toISOString().slice(0, 16)}Z.`,
    `<note>\n${quoted(noteData(target, FULL), FULL.fields)}\n</note>`,
    `<matter>\n${shown}\n</matter>`,
    `<facts>\n${facts.map((fact) => quoted({ fact }, FULL.text)).join('\n')}\n</facts>`,
    'Should the person look at it now?',
  ].join('\n\n');
}
