import { EXIT, errorReason, StewardError } from '../vault/errors.ts';
import { demo } from './commands/demo.ts';
import { processContext } from './terminal.ts';

const context = processContext();
const dirAt = process.argv.indexOf('--dir');

// Nothing waits for it here: what the demo loads may import from this file's own part of the bundle.
void run();

async function run(): Promise<void> {
  try {
    const once = process.argv.includes('--once');
    process.exitCode = await demo(context, {
      once,
      program: 'npx steward',
      dir: (dirAt < 0 ? undefined : process.argv[dirAt + 1]) ?? 'demo-vault',
    });
  } catch (error) {
    if (error instanceof StewardError) context.err.trouble(error.trouble);
    else context.err.line(errorReason(error));
    process.exitCode = error instanceof StewardError ? error.exit : EXIT.refused;
  }
}
