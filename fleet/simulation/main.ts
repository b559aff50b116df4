import { figuresOf } from './figures.ts';
import { HELP, type Options, optionsOf } from './options.ts';
import { figureText } from './print.ts';
import { carryOut } from './stepping/crew.ts';
import { ordersFor } from './stepping/orders.ts';

/** `npm run fleet:simulate`: how often a million vaults wake. Exits 2 where it cannot make out what is asked. */
const options = read(process.argv.slice(2));
if (options?.isHelp === true) console.log(HELP);
else if (options !== null) await run(options);

async function run(asked: Options): Promise<void> {
  const { vaults, seed, day, warmUp, pace, processes, isJson } = asked;
  const orders = ordersFor(vaults, { seed, day, warmUp, pace });
  const tally = await carryOut(orders, { day, processes, done: say });
  const figures = figuresOf(tally);
  if (process.stderr.isTTY) process.stderr.write('\r');
  console.log(isJson ? JSON.stringify({ schemaVersion: 1, asked, ...figures }) : figureText(figures, asked));
}

function say(share: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${Math.floor(share * 100)} %`);
}

function read(args: readonly string[]): Options | null {
  try {
    return optionsOf(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    process.exitCode = 2;
    return null;
  }
}
