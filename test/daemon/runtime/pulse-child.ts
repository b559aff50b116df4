// A pulse in a process of its own, which waits for one beat.
import { momentNow, StallDetector } from '../../../src/daemon/timers.ts';

const EVERY = 1_000;

const pulse = new StallDetector(EVERY, momentNow());
setTimeout(() => process.send?.(pulse.beat(momentNow())), EVERY);
process.once('disconnect', () => process.exit());
process.send?.('ready');
