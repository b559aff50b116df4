import { titleOf } from '../case.ts';
import { type MailAnswer, told } from '../compare/answer.ts';
import type { Ruling } from '../compare/ruling.ts';
import type { Evaluation } from '../evaluation.ts';

/** Returns what was not read or decided as expected, one line each. */
export function missesOf({ answers, rulings }: Evaluation): readonly string[] {
  const lines = [...answers.flatMap(missLines), ...rulings.filter(({ isRight }) => !isRight).map(rulingLine)];
  return [['Not as expected:', ...(lines.length === 0 ? ['  nothing'] : lines)].join('\n')];
}

/** Returns what would have been done wrongly without a person, one line each; empty where nothing would. */
export function wrongActsOf({ answers, rulings }: Evaluation): readonly string[] {
  return [
    ...answers.flatMap(({ mail, guesses }) =>
      guesses
        .filter(({ acts, worth }) => acts && worth.strict !== 'right')
        .map(({ draft }) => `${titleOf(mail)}: ${told(draft)}`),
    ),
    ...rulings
      .filter(({ actsWrongly }) => actsWrongly)
      .map(({ asked, verdict }) => `${titleOf(asked)}: ${ruled(verdict)}`),
  ];
}

function missLines({ mail, guesses, outcomes }: MailAnswer): readonly string[] {
  const wrong = guesses
    .filter(({ worth }) => worth.strict !== 'right')
    .map(({ draft, worth }) => {
      const how = worth.loose === 'right' ? 'quote ' : worth.strict === 'left' ? 'unsure' : 'wrong ';
      return `  ${how} ${titleOf(mail)} (${mail.kind}): ${told(draft)}`;
    });
  const missed = outcomes
    .filter(({ found }) => !found.strict)
    .map(({ expected: { note, quote, set } }) => {
      const what = set === null ? 'asks' : Object.values(set).join();
      return `  missed ${titleOf(mail)} (${mail.kind}): ${what} → ${note} by “${quote}”`;
    });
  return [...wrong, ...missed];
}

function rulingLine({ asked, verdict }: Ruling): string {
  const { decision, set } = asked.expect;
  return `  decided ${titleOf(asked)} (${asked.kind}): ${ruled(verdict)}, expected ${decision} ${JSON.stringify(set)}`;
}

function ruled({ decision, confidence, changes }: Ruling['verdict']): string {
  const what = changes.map(({ field, value }) => `${field}: ${JSON.stringify(value)}`).join(', ');
  return `${decision} at ${confidence} {${what}}`;
}
