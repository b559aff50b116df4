import fs from 'node:fs';
import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Whoever starts new processes as fast as old ones are ended is not followed for ever. */
const MOST_ROUNDS = 20;

/** Ends all processes of the group that a process leads. Does nothing where there is none. */
export function endGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader !== undefined) end(-leader, signal);
}

/**
 * Ends what a program left behind, also outside its group: each process that still has the variable (`NAME=value`) in its
 * environment that it alone was started with.
 */
export async function endLeftOver(variable: string): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const left = processesWith(variable);
    if (left.length === 0) return;
    for (const pid of left) end(pid, 'SIGKILL');
    await nextTurn();
  }
}

function processesWith(variable: string): readonly number[] {
  const all = listed('/proc').filter((name) => /^\d+$/.test(name));
  return all.filter((pid) => environmentOf(pid).includes(variable)).map(Number);
}

function environmentOf(pid: string): readonly string[] {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    return []; // gone, or somebody else's
  }
}

function listed(folder: string): readonly string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return []; // no such system
  }
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
