import path from 'node:path';
import { z } from 'zod';
import type { AgentTool } from '../../steward/ports/agent.ts';

const MAX_CHARS = 64_000;

const input = z.object({
  file_path: z.string().max(4096).describe('The path you were told, unchanged.'),
  content: z.string().describe('The whole text of the file, in Markdown.'),
});
type Input = z.infer<typeof input>;

/** The vault-relative paths of the files that may be written, and the way to write one. */
interface WriteScope {
  readonly root: string;
  readonly files: readonly string[];
  readonly write: (file: string, content: string) => void;
}

/** Returns a tool that writes these files and no others. It refuses everything else with an error that says so. */
export function writeTool({ root, files, write }: WriteScope): AgentTool<Input> {
  return {
    name: 'Write',
    description: 'Writes a file, whole. Only the path that you were told can be written.',
    input,
    async run({ file_path, content }) {
      const file = files.find((one) => isSame(root, one, file_path));
      if (file === undefined) throw new Error(`You may write ${files.join(' and ')}, and nothing else.`);
      if (content.trim() === '') throw new Error('The content is empty; write the text of the file.');
      if (content.length > MAX_CHARS) {
        throw new Error(`The content has ${content.length} characters; a file may have ${MAX_CHARS}.`);
      }
      write(file, content);
      return `${file} is written.`;
    },
  };
}

/** Returns whether a path that a model wrote means this file. It may be absolute or relative to the vault. */
export function isSame(root: string, file: string, written: string): boolean {
  if (written.includes('\0') || written.includes('\\')) return false;
  return path.posix.resolve(root, written.trim()) === path.posix.join(root, file);
}
