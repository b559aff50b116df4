import path from 'node:path';

/** The folder of this program's own package, which ships the template, the units and the example vault. */
export const PACKAGE = path.resolve(import.meta.dirname, '..', '..', '..');
