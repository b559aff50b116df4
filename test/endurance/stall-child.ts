import fs from 'node:fs';
import path from 'node:path';
import { labelSignal } from './signals.ts';

/**
 * Writes signals into a vault while the process that watches it is blocked, and exits only when that has lasted long
 * enough. The first `strong` of them are strong enough to act on, each with a label of its own for the matter `house`.
 */
const SAYS_NOTHING = '---\ntype: signal\neffect: none\nstatus: unrouted\n---\n';
const [root = '', count = '0', strong = '0', holdMs = '0'] = process.argv.slice(2);
const until = performance.now() + Number(holdMs);
fs.mkdirSync(path.join(root, 'signal'), { recursive: true });
for (let index = 0; index < Number(count); index += 1) {
  const text = index < Number(strong) ? labelSignal('house', `s${index}`) : SAYS_NOTHING;
  fs.writeFileSync(path.join(root, 'signal', `s${index}.md`), text);
}
const cell = new Int32Array(new SharedArrayBuffer(4));
Atomics.wait(cell, 0, 0, Math.max(0, until - performance.now())); // blocks this whole process, as a test's timer could not
