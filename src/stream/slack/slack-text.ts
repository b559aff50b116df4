import type { Workspace } from './workspace.ts';

/** `<@U012>`, `<#C012|general>`, `<!here>`, `<https://house.example|the house>`. */
const MARKED = /<([@#!]?)([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>/g;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
]);

/** Returns the text of a message as Slack shows it: with names in place of ids, and no marks. */
export function slackText(written: string, { users }: Pick<Workspace, 'users'>): string {
  const named = written.replace(MARKED, (_, mark: string, what: string, label: string | undefined) => {
    if (mark === '@') return `@${label ?? users.get(what)?.name ?? what}`;
    if (mark === '#') return `#${label ?? what}`;
    if (mark === '!') return label ?? `@${what.split('^')[0] ?? ''}`;
    return label === undefined || label === what ? what : `${label} (${what})`;
  });
  return named.replace(/&(?:lt|gt|amp);/g, (entity) => ENTITIES.get(entity) ?? entity);
}
