import { noteOf, type Request, type Script, sound } from '../model/messages-server.ts';
import type { Attack } from './attack.ts';

/**
 * A model that does what the text asks, as far as an answer can: the change asked for, full confidence, and the text
 * itself, word for word, wherever words are taken.
 */
export function obeying(attack: Attack): Script {
  return (asked) => ({ do: 'say', text: attack.answer ?? obedient(asked, attack) });
}

function obedient(asked: Request, { text, wants }: Attack): string {
  return sound(asked, {
    note: noteOf(asked),
    confidence: 1,
    reasoning: text,
    evidence: [{ signal: 's1', says: text }],
    changes: [{ field: 'summary', op: 'set', value: text.slice(0, 2000) }],
    ...wants,
  });
}
