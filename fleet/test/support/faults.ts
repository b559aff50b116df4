import fs from 'node:fs';

/*
 * Loaded before the program, by `--import`: reading a note of this name throws an error that no code catches, in the work on its vault.
 * A signal throws one that belongs to no vault.
 */
const open = fs.openSync;
fs.openSync = (...given: Parameters<typeof open>) => {
  if (String(given[0]).endsWith('faulty.md')) {
    setImmediate(() => {
      throw new Error('a fault in a vault');
    });
  }
  return open(...given);
};
process.on('SIGUSR2', () => {
  throw new Error('a fault of no vault');
});
