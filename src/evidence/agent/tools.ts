import { z } from 'zod';
import type { AgentTool } from '../../steward/ports/agent.ts';
import { filesNamed } from '../files/file-name.ts';
import { cite } from '../files/finding.ts';
import type { Registered, RegisteredFile } from '../files/registered.ts';
import { readSource, type Source, tryRead } from '../files/source.ts';
import { pathFits } from '../files/wildcard.ts';
import { grep, lineTest, MAX_LINE } from './grep.ts';

const MAX_LINES = 400;
const MAX_CHARS = 40_000;
const MAX_HITS = 100;
const MAX_HIT_CHARS = 300;
const MAX_LISTED = 500;
/** How many characters one search covers. */
const MAX_SEARCHED = 16 * 1024 * 1024;

/** What the tools work with: the files, the callbacks, and the abort signal. */
interface ToolParts {
  readonly registered: Registered;
  readonly say: (step: string) => void;
  /** Receives the path of each file that is read or searched. */
  readonly onRead: (path: string) => void;
  readonly abort: AbortSignal;
}

/** Returns the tools Read, Grep and Glob. Whatever a model asks for, they reach only the registered files. */
export function toolsOver(parts: ToolParts): readonly AgentTool[] {
  return [readTool(parts), grepTool(parts), globTool(parts)];
}

const path = z.string().min(1).max(1_000);

function readTool({ registered, say, onRead }: ToolParts) {
  const input = z.object({
    path: path.describe('as listed'),
    first: z.number().int().min(1).optional().describe('the first line, 1 where it is not given'),
    last: z.number().int().min(1).optional(),
  });
  const tool: AgentTool<z.infer<typeof input>> = {
    name: 'Read',
    description: `Lines of one registered file, each behind its number and a tab. At most ${MAX_LINES} lines at a time.`,
    input,
    async run({ path: asked, first = 1, last = first + MAX_LINES - 1 }) {
      const file = fileNamed(registered, asked);
      const source = readSource(file);
      onRead(file.path);
      say(`Read ${cite({ path: file.path, first, last: Math.min(last, source.lines.length) })}`);
      return numbered(source, first, Math.min(last, first + MAX_LINES - 1));
    },
  };
  return tool;
}

function grepTool({ registered, say, onRead, abort }: ToolParts) {
  const input = z.object({
    pattern: z.string().min(1).max(200).describe('a regular expression in RE2 syntax, tried on each line'),
    glob: path.optional().describe('only files whose path fits, such as lib/**/*.dart'),
    ignoreCase: z.boolean().optional(),
  });
  const tool: AgentTool<z.infer<typeof input>> = {
    name: 'Grep',
    description: `The lines that fit a regular expression, as path:line: text. At most ${MAX_HITS}; lines of more than ${MAX_LINE} characters are not looked at.`,
    input,
    async run({ pattern, glob = '**', ignoreCase = false }) {
      say(`Grep ${JSON.stringify(pattern)} in ${glob}`);
      const fits = lineTest(pattern, ignoreCase);
      const hits = await grep(sourcesIn(registered, glob, onRead), fits, MAX_HITS, abort);
      const lines = hits.map(
        ({ path: at, line, text }) => `${cite({ path: at, first: line, last: line })}: ${text.slice(0, MAX_HIT_CHARS)}`,
      );
      if (hits.length === MAX_HITS) lines.push(`(the first ${MAX_HITS}; narrow the expression or the glob)`);
      return lines.length === 0 ? 'No line fits.' : lines.join('\n');
    },
  };
  return tool;
}

function globTool({ registered, say }: ToolParts) {
  const input = z.object({ pattern: path.describe('such as **/*.json') });
  const tool: AgentTool<z.infer<typeof input>> = {
    name: 'Glob',
    description: `The paths of the registered files that fit a pattern. At most ${MAX_LISTED}.`,
    input,
    async run({ pattern }) {
      say(`Glob ${pattern}`);
      const fitting = registered.files.filter(({ path: one }) => pathFits(one, pattern)).map(({ path: one }) => one);
      return fitting.length === 0 ? 'No registered file fits.' : fitting.slice(0, MAX_LISTED).join('\n');
    },
  };
  return tool;
}

function fileNamed({ files }: Registered, asked: string): RegisteredFile {
  const named = filesNamed(files, asked);
  const [file] = named;
  if (file === undefined) throw new Error(`${asked} is not a registered file; Glob lists them.`);
  if (named.length > 1) throw new Error(`Several files are meant: ${named.map(({ path: one }) => one).join(', ')}.`);
  return file;
}

function numbered({ lines }: Source, first: number, last: number): string {
  const shown = lines.slice(first - 1, last).map((line, index) => `${first + index}\t${line}`);
  const text = shown.join('\n');
  if (shown.length === 0) return `The file has ${lines.length} lines.`;
  const end = first - 1 + shown.length;
  const more = end < lines.length ? `\n(line ${end} of ${lines.length})` : '';
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n(cut here; ask for fewer lines)` : text + more;
}

function* sourcesIn(registered: Registered, glob: string, onRead: (path: string) => void): Generator<Source> {
  let room = MAX_SEARCHED;
  for (const file of registered.files) {
    const source = pathFits(file.path, glob) && room > 0 ? tryRead(file) : null;
    if (source === null) continue;
    room -= source.text.length;
    onRead(file.path);
    yield source;
  }
}
