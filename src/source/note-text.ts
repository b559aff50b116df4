import { stringifyYaml } from '../vault/frontmatter/stringify.ts';
import { shellWord } from '../vault/notes/shell-word.ts';
import type { SourceFields } from './source.ts';

const WHAT: Readonly<Record<string, string>> = {
  imap: 'A mailbox. Its new mails are looked at, and what may be about a matter or task here is brought into `stream/{name}/`. Nothing is changed on the server: no mail is marked as read, moved or deleted.',
  caldav:
    'Calendars on a server. New, moved and cancelled appointments are brought into `stream/{name}/`. Nothing is changed on the server.',
  ics: 'A calendar at an address. New, moved and cancelled appointments are brought into `stream/{name}/`. Nothing is changed there.',
  webhook:
    'A door on this machine. A program here that knows the token can hand in what has happened; it is written into `stream/{name}/`.',
  command:
    'A program on this machine. It is run at its pace, and what it prints, one event a line, is written into `stream/{name}/`. Which program that is stands outside the vault.',
};

/** Returns the text of a new source note: its fields, and for a person what it is and how it is paused. */
export function sourceNoteText(name: string, fields: SourceFields): string {
  const what = (WHAT[String(fields.kind)] ?? '').replaceAll('{name}', name);
  const body = [
    what,
    `It is paused by \`paused: true\` above, or by \`steward source pause ${shellWord(name)}\`. Delete this note, and nothing is asked any more; what it brought stays.`,
    `No password stands here, and none belongs here. Where this note leads elsewhere than was allowed on this machine, nothing is asked until \`steward source test ${shellWord(name)}\` allows it.`,
  ];
  return `---\n${stringifyYaml({ type: 'source', ...fields })}---\n${body.join('\n\n')}\n`;
}
