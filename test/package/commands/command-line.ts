/** A command line that the project prints somewhere, as it stands there. */
export interface PrintedCommand {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** Programs that the project tells people to run. A bare name alone is no command line. */
const PROGRAMS = [
  '⟦program⟧',
  ...[
    'steward',
    'npx',
    'npm',
    'node',
    'sudo',
    'man',
    'which',
    'git',
    'docker',
    'assistant',
    'ssh',
    'curl',
    'openssl',
    'jq',
  ],
  ...['systemctl', 'journalctl', 'loginctl', 'launchctl', 'sysctl', 'ss', 'ulimit', 'umask', '\\(umask'],
  ...['systemd-[a-z]+', 'secret-tool', 'oama', 'pass', 'op', 'cp', 'mv', 'mkdir', 'chmod', 'chown', 'printf', 'unit='],
];
const BEGINS = new RegExp(`^(?:[A-Z][A-Z_]*=\\S* +)*(?:${PROGRAMS.join('|')})(?:(?<==)| +(?=\\S))`);
/** Words before "steward" that make it a noun. */
const NOUN = /(?:^|[^\w])(?:an?|the|this|that|another|other|your|my|its|lookup|-V) $/i;
/** What belongs to a command in a sentence: options, placeholders, quoted words and paths. */
const WORD = String.raw`(?:"[^"]*"|'[^']*'|⟦[^⟧]*⟧|\$\w+|[^\s"'⟦⟧,;)])+`;
const LATER_WORD = String.raw`(?:--?[a-z][\w-]*(?: (?:${WORD}))?|[A-Z]{2,}…?|[\w-]*⟦[^⟧]*⟧[^\s.,;)]*|"[^"]*"|'[^']*'|--)`;
const BARE = new RegExp(
  String.raw`(?<![\w./"_-])((?:[A-Z][A-Z_]*=\S+ )*(?:npx )?(?:steward|⟦program⟧)) ((?:--vault ${WORD} )?(?:source (?:add|list|test|pause)|(?:service|notify|completion) [a-z]+|${LATER_WORD}|[a-z]+)(?: ${LATER_WORD})*)`,
  'g',
);
const OTHERS_BARE = [
  /\bulimit -n\b/g,
  /\bchmod [\w+]+/g,
  /\bss -\w+ '[^']*'/g,
  /\b(?:systemctl|journalctl)(?: --user)?(?: -\w| [a-z]+)(?: [a-z⟦][^\s).;,]*)?/g,
  /\bnpm install(?: -g)?(?: --prefix \S+)? \S+/g,
];
/** Lines of a message that are nothing but a command. */
const WHOLE_LINE = /^ {2,}(?:steward|mkdir -p|systemd-ask-password|systemctl --user|\$ )|^printf '/;

/** Returns a snippet of code as a command line, or null where it is none. */
export function parseSnippet(snippet: string): string | null {
  const text = snippet.replace(/^\$ /, '').replaceAll(/\s+/g, ' ').trim();
  return BEGINS.test(text) ? text : null;
}

/** Returns the command of a line of a code block: the explanation behind it is left out. */
export function parseBlockLine(line: string): string | null {
  const command = line.trim().replace(/ {2,}(?:#|\(|\w).*$/, '');
  return parseSnippet(command);
}

/** Returns the commands in a message of the program. */
export function findInMessage(text: string): readonly string[] {
  const lines = text.split('\n');
  const isBlock = lines.length > 1;
  return lines.flatMap((line) => {
    const script = isBlock ? /^(?:# | {2,})(?=steward |mkdir -p |⟦program⟧ )/.exec(line) : null;
    if (script !== null) return keep([parseSnippet(line.slice(script[0].length))]);
    if (WHOLE_LINE.test(line) && !/^ *steward [a-z]+ [a-z]/.test(line)) return keep([parseSnippet(line.trim())]);
    const quoted = [...line.matchAll(/`([^`]+)`/g)].map(([, snippet = '']) => parseSnippet(snippet));
    const prose = line.replaceAll(/`[^`]*`/g, '');
    const bare = [...prose.matchAll(BARE)]
      .filter(({ index }) => !NOUN.test(prose.slice(0, index)))
      .map(([found]) => found.replace(/[.:]+$/, ''));
    const others = OTHERS_BARE.flatMap((pattern) => prose.match(pattern) ?? []);
    return keep([...quoted, ...bare, ...others]);
  });
}

function keep(found: readonly (string | null)[]): readonly string[] {
  return found.filter((one) => one !== null);
}
