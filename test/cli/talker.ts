import readline from 'node:readline';
import { LastingOutput } from '../../src/cli/daemon-log.ts';

// Says as many numbered lines as each line of its input asks for, through a lasting output, until its input ends.
const WIDTH = 100;
const output = new LastingOutput(process.stdout, ({ lines }) => `unsaid ${lines}`);
let said = 0;
readline
  .createInterface(process.stdin)
  .on('line', (line) => {
    for (let left = Number(line); left > 0; left -= 1) output.write(`${String(++said).padEnd(WIDTH - 1, '.')}\n`);
    process.stderr.write(`said ${said}\n`);
  })
  .on('close', () => output.close());
