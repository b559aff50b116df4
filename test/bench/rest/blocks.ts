import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { numberedMail } from '../../support/mailbox.ts';
import { onceRow, type Row } from '../figures/row.ts';
import { type Block, loadingAlone, type Probed, probedDaemon, probedNothing } from '../processes/blocks.ts';
import { processMs, STEWARD } from '../processes/child.ts';
import { progress } from '../processes/folder.ts';
import { rested } from '../processes/proc.ts';
import { type Bench, sizesOf } from '../vaults.ts';

const MAX_BLOCK_MS = 60;
/** A timer of a millisecond alone uses this much processor time: a daemon under the probe is never quite still. */
const SETTLING_MS = 8_000;
const SWEEPS = 3;
const HOUR_MS = 60 * 60 * 1000;
/** By then what a tick has to remember is being written. */
const FLUSHED_MS = 2_000;

/** A part of a daemon's life, from one moment to another (epoch ms). */
interface Part {
  readonly id: string;
  readonly what: string;
  readonly from: number;
  readonly to: number;
}

/** The longest time for which the event loop of the real `steward run` does one thing and nothing else, in each part of its life. */
export async function measureBlocks(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of sizesOf(bench, [10_000, 100_000], [2_000])) {
    progress(`measuring blocks: ${size} notes …`);
    const vault = bench.vaults.sized(size);
    fs.rmSync(path.join(vault, '.steward', 'cache'), { recursive: true, force: true });
    const cold = await life(bench.home, vault);
    const cached = await life(bench.home, vault);
    const notes = `${size.toLocaleString('en')} notes`;
    rows.push(loadingRow(`blocks.${size}.loading`, notes, { daemon: cold.loading, alone: loadingAlone(bench.home) }));
    rows.push(...cold.parts.map((one) => row(`blocks.${size}.cold`, '', one)));
    rows.push(...cached.parts.slice(0, 1).map((one) => row(`blocks.${size}.cached`, ', with cache', one)));
  }
  return rows;
}

interface Longest {
  readonly part: Part;
  readonly daemon: Block;
  /** The most that was computed in any block (ms). */
  readonly computed: number;
  readonly nothing: Block;
}

/** The block in which a daemon begins, and the longest one in each part of its life. */
interface Life {
  readonly loading: Block;
  readonly parts: readonly Longest[];
}

/** A daemon from its start to its end, beside a Node that does nothing: what keeps both waiting is the machine. */
async function life(home: string, vault: string): Promise<Life> {
  const nothing = await probedNothing(home);
  const began = Date.now();
  const daemon = await probedDaemon(home, vault);
  const listening = Date.now();
  await wait(SETTLING_MS);
  await quiet(daemon);
  const settled = Date.now();
  await readMail(daemon, vault);
  const read = Date.now();
  for (let nth = 0; nth < SWEEPS; nth += 1) sweep(home, vault);
  const swept = Date.now();
  processMs(home, [STEWARD, 'tick', '--vault', vault]);
  await wait(FLUSHED_MS);
  const ticked = Date.now();
  await daemon.stop();
  const ended = Date.now();
  await nothing.stop();
  const parts: Part[] = [
    { id: 'start', what: 'start until ready', from: began, to: listening },
    { id: 'settling', what: 'the first seconds', from: listening, to: settled },
    { id: 'mail', what: 'the first mail', from: settled, to: read },
    { id: 'sweep', what: `${SWEEPS} times a tick and a status`, from: read, to: swept },
    { id: 'tick', what: 'a tick of all matters', from: swept, to: ticked },
    { id: 'stop', what: 'stop', from: ticked, to: ended },
  ];
  const found = parts.map((part) => ({
    ...{ part, daemon: longest(daemon, part), nothing: longest(nothing, part) },
    computed: daemon.computed(part.from, part.to),
  }));
  return { loading: daemon.loading(), parts: found };
}

/** A mail that names no note, so that the vault is left as it is. */
async function readMail(daemon: Probed, vault: string): Promise<void> {
  const file = `stream/first-${Date.now()}.eml`;
  const words = 'the fee was paid on 12 March, and the visit has moved to next Friday.';
  fs.writeFileSync(
    path.join(vault, file),
    numberedMail(1, Date.now() - HOUR_MS).replaceAll(/this is letter \d+\./g, words),
  );
  await daemon.heard((said) => said.includes(`"code":"stream-read","file":"${file}"`));
}

/** Each command is answered on the vault as it is at that moment, so it has the daemon list it. */
function sweep(home: string, vault: string): void {
  const [matter = ''] = fs.readdirSync(path.join(vault, 'matter')).filter((name) => name.endsWith('.md'));
  processMs(home, [STEWARD, 'tick', path.basename(matter, '.md'), '--vault', vault]);
  processMs(home, [STEWARD, 'status', '--vault', vault]);
}

// `rested` asks for less processor time than the probe itself may use on a slow machine, so it has an end.
async function quiet({ pid }: Probed): Promise<void> {
  await Promise.race([rested(pid), wait(4 * SETTLING_MS, undefined, { ref: false })]);
}

function longest(probed: Probed, { from, to }: Part): Block {
  return probed.longest(from, to) ?? { from, ms: 0, cpu: 0 };
}

/** Until its modules are loaded nothing can be answered; what the program does before its first turn comes on top. */
function loadingRow(
  id: string,
  notes: string,
  { daemon, alone }: { readonly daemon: Block; readonly alone: Block },
): Row {
  return onceRow(id, `longest block, ${notes}, no cache: loading`, daemon.ms, {
    floor: { of: 'loading modules', value: alone.ms },
    aim: { of: 'difference', atMost: MAX_BLOCK_MS },
    remark: computing(daemon),
  });
}

function computing({ cpu }: Block): string {
  return `${cpu.toFixed(0)} ms computing`;
}

function row(id: string, of: string, { part, daemon, computed, nothing }: Longest): Row {
  const found = onceRow(`${id}.${part.id}`, `… ${part.what}${of}`, daemon.ms, {
    floor: { of: 'an idle Node', value: nothing.ms },
    aim: { of: 'value', atMost: MAX_BLOCK_MS },
    remark: `${computing(daemon)}, ${computed.toFixed(0)} at most`,
  });
  return { ...found, ratio: null }; // a Node that does nothing is hardly ever late: so many times that says nothing
}
