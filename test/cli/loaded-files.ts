import fs from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

// Started with `--import` before the program: writes down each file that the process loads as a module, a line each.

const list = process.env.LOADED_FILES;
if (list !== undefined)
  registerHooks({
    load: (url, context, next) => {
      if (url.startsWith('file:')) fs.appendFileSync(list, `${fileURLToPath(url)}\n`);
      return next(url, context);
    },
  });
