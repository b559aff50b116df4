// Replaces files of the folder that is its argument, where no file may grow beyond the process's limit. Prints what came of each.
import path from 'node:path';
import { StewardError, systemCode } from '../../src/vault/errors.ts';
import { replaceWhole, writeState } from '../../src/vault/files.ts';

const [folder = ''] = process.argv.slice(2);
const LONG = 'x'.repeat(100_000);

function resultOf(write: () => void): string {
  try {
    write();
    return 'done';
  } catch (error) {
    return error instanceof StewardError ? error.trouble.code : String(systemCode(error));
  }
}

const results = {
  state: resultOf(() => writeState(path.join(folder, 'state.json'), LONG)),
  new: resultOf(() => writeState(path.join(folder, 'new.json'), LONG)),
  whole: resultOf(() => replaceWhole(path.join(folder, 'log.json'), LONG)),
  fits: resultOf(() => writeState(path.join(folder, 'fits.json'), 'short')),
};
process.stdout.write(JSON.stringify(results));
