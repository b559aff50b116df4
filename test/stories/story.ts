import fs from 'node:fs';
import path from 'node:path';
import type { Ended, Running, Sandbox } from './support.ts';

/*
 * A story is a transcript that people can read and the test runs. Each line begins with a mark:
 *
 *   # …          prose, for the reader
 *   $ command    run by the shell in a folder that holds `vault/`; below it, what it prints
 *   >2 …         … a line it prints to standard error
 *   ? 1          … its exit code, where it is not 0
 *   & command    started and left running
 *   ~ …          a line that it prints sooner or later; the story waits for it
 *   ! SIGTERM    a signal sent to it; the story waits for its end. Below it `? 0`, its exit code or signal
 *
 * A line of `...` stands for any lines, `<...>` for anything within one. Times become <time>, or <stamp> where they
 * are part of a name (except in the names of the example vault's own notes); the folder becomes <root>. No printed line
 * may itself begin with a mark: filter such lines out with `grep`.
 * UPDATE_STORIES=1 writes what was printed into the stories where it differs.
 */

interface Block {
  readonly head: string;
  readonly body: readonly string[];
}

/** Plays a story in a sandbox. Returns the transcript as it came out, which equals the story where nothing differs. */
export async function play(story: string, sandbox: Sandbox): Promise<string> {
  const tidy = tidier(sandbox.folder);
  const told: string[] = [];
  let running: Running | null = null;
  for (const block of blocksOf(story)) {
    const { head } = block;
    const rest = head.slice(2);
    told.push(head);
    if (head.startsWith('$ ')) told.push(...fitted(block.body, printed(await sandbox.sh(rest), tidy)));
    else if (head.startsWith('& ')) running = sandbox.start(rest);
    else if (head.startsWith('~ ')) {
      if (running === null) throw new Error(`nothing runs that could say: ${rest}`);
      const wanted = lineOf(rest);
      await running.line((line) => wanted.test(tidy(line)), rest);
    } else if (head.startsWith('! ')) {
      running?.kill(rest as NodeJS.Signals);
      const exit = (await running?.ended)?.exit;
      told.push(...fitted(block.body, [`? ${exit}`]));
    }
    if (!/^[$!] /.test(head)) told.push(...block.body);
  }
  return told.join('\n');
}

/** Returns all stories of a folder: name → text. */
export function storiesIn(folder: string): [string, string][] {
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.story'));
  return names.sort().map((name) => [name, fs.readFileSync(path.join(folder, name), 'utf8')]);
}

function isMark(line: string): boolean {
  return /^(#|[$&~!] )/.test(line);
}

function blocksOf(story: string): Block[] {
  const blocks: { head: string; body: string[] }[] = [];
  for (const line of story.split('\n')) {
    if (isMark(line) || blocks.length === 0) blocks.push({ head: line, body: [] });
    else blocks.at(-1)?.body.push(line);
  }
  return blocks;
}

function printed({ stdout, stderr, exit }: Ended, tidy: (text: string) => string): string[] {
  return [
    ...linesOf(tidy(stdout)),
    ...linesOf(tidy(stderr)).map((line) => `>2 ${line}`.trimEnd()),
    ...(exit === 0 ? [] : [`? ${exit}`]),
  ];
}

function linesOf(text: string): string[] {
  const lines = text.replace(/\n+$/, '');
  return lines === '' ? [] : lines.split('\n').map((line) => line.trimEnd());
}

// The expected lines, with their wildcards, where they match; else what was printed.
function fitted(expected: readonly string[], actual: readonly string[]): readonly string[] {
  const gap = expected.length - expected.findLastIndex((line) => line !== '') - 1;
  const wanted = expected.slice(0, expected.length - gap);
  const pattern = wanted.map((line) => (line === '...' ? '(?:.*\n)*?' : `${sourceOf(line)}\n`)).join('');
  if (new RegExp(`^${pattern}$`).test(actual.map((line) => `${line}\n`).join(''))) return expected;
  return [...actual, ...expected.slice(expected.length - gap)];
}

function lineOf(wanted: string): RegExp {
  return new RegExp(`^${sourceOf(wanted)}$`);
}

function sourceOf(line: string): string {
  return line
    .split('<...>')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
}

const ISO = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?/g;
/** A time as a screen says it: `today 14:05`, `3 Nov 2026 09:30`. */
const SAID_TIME =
  /\b(?:yesterday|today|tomorrow|\d\d? (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?: \d{4})?) \d\d:\d\d\b/g;
const STAMP = /\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(-\d{3})?Z/g;
const EXAMPLE = path.resolve(import.meta.dirname, '..', '..', 'vault-example');

function tidier(folder: string): (text: string) => string {
  const names = ['event', 'signal'].flatMap((kind) => fs.readdirSync(path.join(EXAMPLE, kind)));
  const own = new Set(names.flatMap((name) => name.match(STAMP) ?? []));
  const ownTimes = new Set(
    names.flatMap((name) => {
      const text = fs.readFileSync(path.join(EXAMPLE, name.includes('action') ? 'event' : 'signal', name), 'utf8');
      return (text.match(ISO) ?? []).map(plainTime);
    }),
  );
  return (text) =>
    text
      .replaceAll(folder, '<root>')
      // A story does not depend on the month in which it is played.
      .replace(/\b(event|signal)\/\d{4}-\d\d\//g, '$1/')
      .replace(STAMP, (stamp) => (own.has(stamp) ? stamp : '<stamp>'))
      .replace(ISO, (time) => (ownTimes.has(plainTime(time)) ? time : '<time>'))
      .replace(/^\d\d:\d\d:\d\d /gm, '<time> ')
      .replace(SAID_TIME, '<time>')
      .replace(/\bpid \d+/g, 'pid <pid>')
      .replace(/\b(daemon|command) \d+ on \S+,/g, '$1 <pid> on <host>,')
      .replace(/\d+ (min|h|days) old/g, '<age> old')
      .replace(/\b(just now|\d+ (min|h|days) ago)/g, '<age>');
}

function plainTime(time: string): string {
  return time.replace('T', ' ').replace(/(\.\d+)?Z?$/, '');
}
