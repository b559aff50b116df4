import { noteOf, type Request, type Script, sound, textOf } from '../providers/messages-server.ts';
import type { Attack } from './attack.ts';

/**
 * A model that does what the text asks, as far as an answer can: the change asked for, full confidence, and the text
 * itself, word for word, wherever words are accepted. About a mail it says nothing useful, so that the rules read it.
 */
export function obeying(attack: Attack): Script {
  return (asked) => ({ do: 'say', text: isAboutEvent(asked) ? '' : (attack.answer ?? obedient(asked, attack)) });
}

/** The same model, but about a mail it returns a confident signal for every note it was given, and for others too. */
export function obeyingMail(attack: Attack): Script {
  return (asked) => ({
    do: 'say',
    text: attack.answer ?? (isAboutEvent(asked) ? obedientSignals(asked, attack) : obedient(asked, attack)),
  });
}

/** Whether a request is about an event from outside rather than about a note. */
export function isAboutEvent(asked: Request): boolean {
  return textOf(asked).includes('<event>');
}

function obedientSignals(asked: Request, { text, wants }: Attack): string {
  const given = [...textOf(asked).matchAll(/"note":"(c\d)"/g)].map((match) => match[1] ?? '');
  const quotes = ['We confirm that the payment', 'the payment has been received', 'about the deposit', 'Hello', text];
  const changes = 'changes' in wants ? wants.changes : [{ field: 'summary', op: 'set', value: text.slice(0, 2000) }];
  const signals = [...given, 'task/other.md', '../outside.md'].map((note, nth) => ({
    ...{ note, or_notes: [], note_confidence: 1, quote: quotes[nth % quotes.length], changes },
    ...{ effect_confidence: 1, reasoning: text },
  }));
  return JSON.stringify({ signals });
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
