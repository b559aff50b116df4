import { type CommandShape, describeCommand } from '../../../src/cli/commands/completion.ts';
import { commandTable } from '../../../src/cli/table.ts';
import { Printer } from '../../../src/cli/terminal.ts';

const silent = new Printer({ write: () => undefined }, {});
const SHAPE = describeCommand(commandTable({ out: silent, err: silent, env: {}, cwd: '/' }, () => undefined));

/** Returns the command lines that a usage stands for: without and with what is in brackets, and one for each alternative. */
export function expandUsage(text: string): readonly string[] {
  if (/["']/.test(text) || !/\[|<|…| \| |\w\|\w/.test(text) || /[$⟦]/.test(text)) return [text];
  const [before = '', last] = text.split(/ \S+ \| (?=--)/);
  const alternatives = last === undefined ? [text] : [text.replace(/ \| --.*/, ''), `${before} ${last}`];
  return alternatives
    .flatMap((one) => [one.replaceAll(/ ?\[[^\]]*\]/g, ''), one.replaceAll(/\[([^\]]*)\]/g, '$1')])
    .flatMap((one) => {
      const words = /(?<= )\w+(?:\|\w+)+/.exec(one)?.[0];
      return words === undefined ? [one] : words.split('|').map((word) => one.replace(words, word));
    })
    .map((one) =>
      one.replaceAll(/<?\b([a-zA-Z]+)(?:\.\.\.|…)>?|<(\w+)>/g, (_, many, single) => `${many ?? single}`.toUpperCase()),
    )
    .map((one) => one.replace(/(?<=(?:init|add|roundtable) )(?:dir|name|briefing)\b/g, (word) => word.toUpperCase()))
    .filter((one, at, all) => all.indexOf(one) === at);
}

/** What stands for something else in a command line, and what exists in its place in a prepared home. The first that fits counts. */
const VALUES: readonly (readonly [where: RegExp, what: RegExp, value: string])[] = [
  [/./, /^sudo (?:-u \w+ )?(?=steward)/, ''],
  [/./, /⟦program⟧/g, 'steward'],
  [/./, /(?<=[A-Z])…/g, ''],
  [/./, /\bCOMMAND$/, 'status'],
  [/./, /⟦(?:order\.kind === .*?|other)⟧/, 'confirm'],
  [/ init /, /\bDIR\b|⟦quoted\(root\)⟧/, '~/New'],
  [/ (?:run|rehearse|source add) /, /⟦quoted\(root\)⟧/, '~/Vault'],
  [/ demo /, /\bDIR\b|⟦.*?dir.*?⟧/, 'steward-demo'],
  [/./, /\/srv\/vaults\/home|\/home\/robin\/vault|(?<=--vault )(?:DIR|%f)/g, '~/Vault'],
  [/./, /⟦shellWord\((?:space\.vault\.root|dir)\)⟧/g, '~/Vault'],
  [/ (?:run|rehearse|source add) /, /⟦options⟧/, '--vault ~/Vault'],
  [/ (?:confirm|dismiss) /, /'Pay (?:notary|the) deposit'/, "'Compare tile offers'"],
  [/ --choose /, /\b(?:EVENT|NAME)\b|(?<=confirm )⟦shellWord\(name\)⟧/, '"$CHOICE"'],
  [/ --choose /, /\bNOTE\b|⟦shellWord\(linkTarget\(link\)\)⟧/, '"$TARGET"'],
  [
    / (?:confirm|dismiss) /,
    /\b(?:EVENT|NAME|SENDER)\b|⟦shellWord\((?:(?:event\.)?name|settingName\(one\))\)⟧|⟦(?:event|name|event\.name)⟧/,
    '"$PROPOSAL"',
  ],
  [
    / undo /,
    /\b(?:EVENT|NAME)\b|⟦shellWord\((?:(?:made|event)\.name|stem\(event\.event\)|stem\(removes\.path\))\)⟧/,
    '"$ACTION"',
  ],
  [/ explain /, /stream\/inbox\/FILE|(?:letter|deposit)\.eml|\bFILE\b|⟦shellWord\(file\)⟧/, '"$STREAM_FILE"'],
  [/ explain /, /\bNOTE\b/, '"$NOTE"'],
  [/ explain /, /\bhouse\b/, '"$MATTER"'],
  [/ explain /, /billing@roof\.example/, 'anna@northgate-notary.example'],
  [/ teach /, /\b(?:FILE|MAIL)\b/, '"$STREAM_FILE"'],
  [/ teach /, /\bNOTE\b/, '"$NOTE"'],
  [/ teach /, /FIELD=VALUE/, 'current_state=called'],
  [/ teach "\$STREAM_FILE"$/, /$/, ' --task "$NOTE" --set current_state=called'],
  [/ ledger /, /\bN\b/, '3'],
  [/ ledger /, /\bDAY\b/, '2026-11-01'],
  [/ import /, /\bFILE\b|(?<= )deposit\.eml/, '~/letter.eml'],
  [/ rehearse /, /\bPATH\b|~\/mail\/archive(?:\.mbox| ~\/mail\/sent)?/, '~/letter.eml'],
  [/ rehearse /, /\bDAY\b/, '2026-11-01'],
  [/ rehearse /, /(?<=--source )NAME\b/, 'inbox'],
  [/ source add /, /\b(?:NAME)\b/, 'shop'],
  [/ source add (?:inbox|tickets) /, /(?<=add )\w+/, 'another'],
  [/ source (?:test|pause) /, /\bNAME\b|⟦shellWord\((?:first\.source|name)\)⟧/, '"$SOURCE"'],
  [/ source (?:add|test) \S+ PROGRAM$/, /PROGRAM/, '-- PROGRAM'],
  [
    / source (?:test|pause|add) /,
    /\/home\/anna\/bin\/tickets|\/home\/robin\/bin\/shop-events|PROGRAM(?: ARGUMENTS)?/,
    '~/bin/tickets',
  ],
  [/ --password-command /, /⟦shellWord\(name\)⟧/, 'inbox'],
  [/ --password-command /, /"…"/, '"pass mail/inbox"'],
  [/ source test "\$SOURCE" --password-command /, /"\$SOURCE"/, 'inbox'],
  [/ licence /, /\b(?:SENDER|LICENCE)\b|⟦LICENSED⟧/, 'anna@northgate-notary.example'],
  [/ licence sign /, /⟦shellWord\(source\)⟧/, 'anna@northgate-notary.example'],
  [/ licence sign /, /⟦shellWord\(licensingPlace\(space, target\)\)⟧/, 'house-purchase'],
  [/ (?:tick|log|licence) /, /\b(?:MATTER|M)\b/, '"$MATTER"'],
  [/ log /, /\bN\b/, '3'],
  [/ undo /, /\bN\b/, '1'],
  [/ lookup /, /"?REQUEST"?/, '"lines 1-2 of plan.md"'],
  [/ lookup /, /GLOB/, 'plan.md'],
  [/ lookup "lines 1-2 of plan\.md"$/, /$/, " --files 'plan.md'"],
  [/ roundtable /, /\bBRIEFING\b|⟦shellWord\(id\)⟧|(?<= )tiles\b/, '"$BRIEFING"'],
  [/ status /, /\b(?:PROBLEM|CODE|ID)\b/, 'date-far'],
  [/ notify /, /WHAT/, 'test'],
  [/ service /, /WHAT/, 'status'],
  [/ completion /, /SHELL/, 'bash'],
  [/ --help/, /⟦name\.split\(' '\)\[0\]⟧/, 'undo'],
  [/^chmod /, /⟦folder⟧/, '~/Vault'],
  [/^chmod /, /⟦file⟧/, '~/letter.eml'],
  [/^chmod g\+w$/, /$/, ' ~/letter.eml'],
  [/ ss /, /⟦port⟧/, '8377'],
  [/^npm install --prefix /, /⟦shellWord\(before\)⟧/, '~/project'],
  [/^npm install -g --prefix /, /⟦shellWord\(path\.dirname\(before\)\)⟧/, '~/prefix'],
  [/^npm install /, /⟦library⟧@⟦VERSIONS\[library\]⟧/, 'imapflow@2.10.2'],
];
/** What a person must replace before the line can be typed. */
const PLACEHOLDER = /⟦[^⟧]*⟧|…|<\w+>|(?<=^|[\s"'])(?!REQUEST)[A-Z]{2,}(?=$|[\s"'])|%f/;

/**
 * Returns a printed command with values that exist in a prepared home. Throws if a placeholder has none. A page may name
 * a command without saying what it is given, such as `steward explain`: then its help is asked for, which shows that it
 * exists. A message of the program says all of it (`isMessage`).
 */
export function fillPlaceholders(text: string, isMessage: boolean): string {
  const filled = VALUES.reduce(
    (line, [where, what, value]) => (where.test(line) ? line.replace(what, () => value) : line),
    text,
  );
  const left = PLACEHOLDER.exec(filled)?.[0];
  if (left !== undefined) throw new Error(`Nothing stands for "${left}" in: ${filled}`);
  return !isMessage && isNameAlone(filled) ? `${filled} --help` : filled;
}

/** Commands that need one of several options or arguments, which their usage cannot say. */
const NEEDS_MORE = ['undo', 'confirm', 'dismiss', 'source'];

function isNameAlone(line: string): boolean {
  const [program, ...names] = line.split(' ');
  if (program !== 'steward' || names.length === 0) return false;
  const found = findCommand(SHAPE, names);
  return found !== null && (found.usage.includes('<') || NEEDS_MORE.includes(names.join(' ')));
}

function findCommand(shape: CommandShape, [name, ...more]: readonly string[]): CommandShape | null {
  if (name === undefined) return shape;
  const found = shape.commands.find((one) => one.name === name);
  return found === undefined ? null : findCommand(found, more);
}
