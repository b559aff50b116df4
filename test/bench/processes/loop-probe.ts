// Loaded before a program by `node --import`: a timer of one millisecond in the program's own thread. How much later than that
// it comes round is how long nothing else had a turn. The first block begins with this file, so that loading counts too.
// `perf_hooks.monitorEventLoopDelay` is not used, since it passes over the first block, and knows no processor time.
import fs from 'node:fs';

/** Shorter ones are not told. */
const LEAST_MS = 4;
/** Where the parent has opened a file for what is told: one JSON object a line. */
const TOLD = 3;

let [since, used] = [performance.now(), cpu()];
setInterval(() => tell(), 1).unref();
process.on('exit', () => tell());

function tell(): void {
  const [now, cpuNow] = [performance.now(), cpu()];
  if (now - since >= LEAST_MS) {
    const block = { from: performance.timeOrigin + since, ms: now - since, cpu: cpuNow - used };
    fs.writeSync(TOLD, `${JSON.stringify(block)}\n`);
  }
  [since, used] = [performance.now(), cpu()];
}

/** The processor time (ms) of this thread alone. */
function cpu(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
