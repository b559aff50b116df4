import path from 'node:path';

/** The libraries that only some sources need, in the versions that this program is tested with. */
const VERSIONS = { imapflow: '2.10.2', tsdav: '2.3.4' } as const;

/** Returns the command that installs such a library where this program finds it. `place`: the folder of this file. */
export function installCommand(library: keyof typeof VERSIONS, place: string = import.meta.dirname): string {
  const wanted = `${library}@${VERSIONS[library]}`;
  const [before = '', inside] = place.split(`${path.sep}node_modules${path.sep}vault-steward${path.sep}`);
  if (inside === undefined) return `npm install ${wanted}`;
  // A global install lies in PREFIX/lib/node_modules; whatever lies beside it there is found.
  if (path.basename(before) === 'lib') return `npm install -g --prefix ${shellWord(path.dirname(before))} ${wanted}`;
  return `npm install --prefix ${shellWord(before)} ${wanted}`;
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
