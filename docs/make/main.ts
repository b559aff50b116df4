import fs from 'node:fs';
import path from 'node:path';
import { commandTable } from '../../src/cli/command-table.ts';
import { shapeOf } from '../../src/cli/print/completion/command-shape.ts';
import { Printer } from '../../src/cli/print/printer.ts';
import { commandsPage } from './commands.ts';
import { fieldsPage, settingsPage } from './reference.ts';

// Writes the pages that are made from the program itself: `npm run docs`.

const DOCS = path.resolve(import.meta.dirname, '..');
fs.writeFileSync(path.join(DOCS, 'settings.md'), settingsPage());
fs.writeFileSync(path.join(DOCS, 'fields.md'), fieldsPage());

const silent = new Printer({ write: () => undefined }, {});
const table = commandTable({ out: silent, err: silent, env: {}, cwd: DOCS }, () => undefined);
fs.writeFileSync(path.join(DOCS, 'commands.md'), commandsPage(shapeOf(table)));
