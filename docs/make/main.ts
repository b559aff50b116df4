import fs from 'node:fs';
import path from 'node:path';
import { fieldsPage, settingsPage } from './reference.ts';

// Writes the pages that are made from the program itself: `npm run docs`.

const DOCS = path.resolve(import.meta.dirname, '..');
fs.writeFileSync(path.join(DOCS, 'settings.md'), settingsPage());
fs.writeFileSync(path.join(DOCS, 'fields.md'), fieldsPage());
