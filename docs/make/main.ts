import fs from 'node:fs';
import path from 'node:path';
import { describeCommand } from '../../src/cli/commands/completion.ts';
import { commandTable } from '../../src/cli/table.ts';
import { Printer } from '../../src/cli/terminal.ts';
import { securityPage } from './attacks.ts';
import { commandsPage } from './commands.ts';
import { fieldsPage, problemsPage, settingsPage } from './reference.ts';

// Writes the pages that are made from the program itself: `npm run docs`.

const DOCS = path.resolve(import.meta.dirname, '..');
fs.writeFileSync(path.join(DOCS, 'settings.md'), settingsPage());
fs.writeFileSync(path.join(DOCS, 'fields.md'), fieldsPage());
fs.writeFileSync(path.join(DOCS, 'problems.md'), problemsPage());
fs.writeFileSync(path.join(DOCS, '..', 'SECURITY.md'), securityPage());

const silent = new Printer({ write: () => undefined }, {});
const table = commandTable({ out: silent, err: silent, env: {}, cwd: DOCS }, () => undefined);
fs.writeFileSync(path.join(DOCS, 'commands.md'), commandsPage(describeCommand(table)));
