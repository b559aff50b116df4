import { z } from 'zod';
import type { AgentTool } from '../../steward/ports/agent.ts';
import { tagged } from './prompt-context.ts';
import { isSame } from './write-tool.ts';

/** How many files may be opened in one turn. */
const MOST_READS = 4;

const input = z.object({
  file_path: z.string().max(4096).describe('The path of a file that you were shown, unchanged.'),
});
type Input = z.infer<typeof input>;

/** The vault-relative paths of the files that may be read, and the way to read one: null where it cannot be read. */
interface ReadScope {
  readonly root: string;
  readonly files: () => readonly string[];
  readonly read: (file: string) => string | null;
}

/**
 * Returns a tool that reads these files and no others, and the paths of those it has read. It refuses everything else
 * with an error that says so.
 */
export function readTool({ root, files, read }: ReadScope): {
  readonly tool: AgentTool<Input>;
  readonly opened: string[];
} {
  const opened: string[] = [];
  const tool: AgentTool<Input> = {
    name: 'Read',
    description: 'Reads a file of this roundtable, whole. Only the files that you were shown can be read.',
    input,
    async run({ file_path }) {
      const file = files().find((one) => isSame(root, one, file_path));
      if (file === undefined) throw new Error(`You may read ${files().join(', ') || 'nothing yet'}, and nothing else.`);
      if (opened.length >= MOST_READS)
        throw new Error(`You have opened ${MOST_READS} files in this turn; say now what you have to say.`);
      const text = read(file);
      if (text === null) throw new Error(`${file} is not there any more as it was written.`);
      opened.push(file);
      return tagged([{ name: 'file', lines: [{ path: file, text }] }]).join('\n');
    },
  };
  return { tool, opened };
}
