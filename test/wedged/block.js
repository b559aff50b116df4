// Loaded with --import into a daemon: SIGUSR2 blocks its event loop until the file that $BLOCK_WHILE names is gone.
import fs from 'node:fs';

process.on('SIGUSR2', () => {
  const file = process.env.BLOCK_WHILE;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (fs.existsSync(file)) Atomics.wait(pause, 0, 0, 20);
});
