import fs from 'node:fs';
import path from 'node:path';

/** The folder of this program's own package, which ships the template, the units and the example vault. */
export const PACKAGE = findPackage(import.meta.dirname);

// In src this file has folders above it that dist doesn't have.
function findPackage(folder: string): string {
  return fs.existsSync(path.join(folder, 'package.json')) ? folder : findPackage(path.dirname(folder));
}

/** The version of this program. */
export function version(): string {
  const manifest: { readonly version: string } = JSON.parse(
    fs.readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'),
  );
  return manifest.version;
}
