import fs from 'node:fs';
import path from 'node:path';
import { Sandbox } from '../stories/support.ts';

/** What stands in the private files of a home folder. Found anywhere else, it has got out. */
export const PRIVATE = 'Robin is afraid of the survey';
/** Put together, so that nobody who looks for keys finds one here. */
const KEY_TEXT = `${['-----BEGIN OPENSSH', 'PRIVATE KEY-----'].join(' ')}\nb3BlbnNzaC1rZXktdjEAAAAA\n${PRIVATE}\n`;

/** The private files of the home folder, below `home`. */
const HOME: Readonly<Record<string, string>> = {
  'diary.txt': `${PRIVATE}.\n`,
  '.bashrc': `# ${PRIVATE}\n`,
  '.config/app/settings.txt': `${PRIVATE}\n`,
  '.ssh/id_ed25519': KEY_TEXT,
  'work/plan.txt': 'The floor is 0.62.\n',
  'work/renamed.txt': KEY_TEXT,
};

/** A person's home with private files, and beside it a vault with one matter. */
export function homeAndVault(files: Readonly<Record<string, string>> = {}): Sandbox {
  const sandbox = new Sandbox('none');
  for (const [file, text] of Object.entries(HOME)) {
    fs.mkdirSync(path.dirname(path.join(sandbox.folder, 'home', file)), { recursive: true });
    fs.writeFileSync(path.join(sandbox.folder, 'home', file), text);
  }
  sandbox.write('steward.md', '---\ntype: steward\n---\n');
  for (const [file, text] of Object.entries(files)) sandbox.write(file, text);
  return sandbox;
}

/** A note that lists files, below the folder that its field `root` names. */
export function listing(root: string | null, ...items: readonly string[]): string {
  const field = root === null ? '' : `root: ${JSON.stringify(root)}\n`;
  return `---\nquestion: Which floor?\n${field}---\n## Steward-Registered Files\n\n${items.map((item) => `- ${item}\n`).join('')}`;
}

/** Returns what every file of the vault holds, as one text. */
export function vaultText(sandbox: Sandbox): string {
  const files = fs.readdirSync(sandbox.vault, { recursive: true, withFileTypes: true });
  return files
    .filter((item) => item.isFile())
    .map((item) => fs.readFileSync(path.join(item.parentPath, item.name), 'utf8'))
    .join('\n');
}
