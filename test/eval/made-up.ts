import type { CaseSet, MailCase } from './case.ts';

/** Returns a mail for a test of the measuring itself. */
export function madeUpMail(parts: Partial<MailCase>): MailCase {
  return {
    ...{ id: 'some', domain: 'made-up', kind: 'plain', held_out: false, lang: 'en', style: 'person', template: '' },
    ...{ from: 'someone@birch.example', from_name: '', date: '2026-11-20T08:15:30Z', subject: 'Hello', headers: {} },
    ...{ text: '', html: '', ics: '', expect: [] },
    ...parts,
  };
}

/** Returns mails to somebody with one matter, which has some tasks. */
export function madeUpCases(
  tasks: readonly { readonly task: string; readonly due?: string }[],
  mails: readonly MailCase[],
  senders: readonly string[] = [],
): CaseSet {
  const own = tasks.map(({ task, due }) => ({ task, due }));
  const matter = { matter: 'Some matter', senders: [...senders], aliases: [], keywords: [], tasks: own };
  return { vault: [matter], mails, decisions: [] };
}
