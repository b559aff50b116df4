import { EXIT, reasonOf, StewardError } from '../../vault/errors.ts';
import type { CommandContext } from '../base/context.ts';
import { Printer } from '../print/print.ts';
import { demo } from './demo.ts';

const context: CommandContext = {
  out: new Printer(process.stdout, process.env),
  err: new Printer(process.stderr, process.env),
  env: process.env,
  cwd: process.cwd(),
};
const named = process.argv.indexOf('--dir');

try {
  const once = process.argv.includes('--once');
  process.exitCode = await demo(context, {
    once,
    dir: (named < 0 ? undefined : process.argv[named + 1]) ?? 'demo-vault',
  });
} catch (error) {
  if (error instanceof StewardError) context.err.trouble(error.trouble);
  else context.err.line(reasonOf(error));
  process.exitCode = error instanceof StewardError ? error.exit : EXIT.refused;
}
