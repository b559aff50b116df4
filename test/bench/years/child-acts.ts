// Ticks and takes back on one vault, each time it is asked, and answers how long that took (ms).
import { ticked, tickOnce } from '../acts/tick.ts';
import { acted, spaceOf, undone } from '../acts/undo.ts';

const [root = '', rounds = '0'] = process.argv.slice(2);
const space = await spaceOf(root);
const [matter] = space.vault.catalogue.matters();
await tickOnce(space, matter?.path ?? '');
const events = await acted(space, Number(rounds));

process.on('message', async (what) => {
  process.send?.(what === 'tick' ? await ticked(space) : undone(space, events.pop() ?? ''));
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
