import fs from 'node:fs';
import path from 'node:path';
import { getDomain } from 'tldts';
import type { CaseSet } from './case.ts';
import { titleOf } from './case.ts';

/** What two parts of the cases may not share. */
export const TRACES = ['template', 'sender', 'domain', 'task', 'line'] as const;

/** One of these. */
export type Trace = (typeof TRACES)[number];

/** Where each trace was seen: by what it is, by its words. */
export type Traces = Readonly<Record<Trace, ReadonlyMap<string, string>>>;

/** A trace that two parts share. */
export interface Leak {
  readonly trace: Trace;
  readonly words: string;
  /** Where it was seen in the first of the two. */
  readonly at: string;
}

/** Providers of whom anybody may have an address. */
const PROVIDERS = new Set([
  ...['postbox.example', 'inkmail.example', 'quillpost.example', 'poste-libre.example', 'casella.example'],
  ...['correo-casa.example', 'brievenbus.example'],
]);
const LEAST_WORDS = 8;

/** Returns what mails and notes could be known again by. */
export function tracesOf(sets: readonly CaseSet[]): Traces {
  const traces = noTraces();
  for (const { vault, mails } of sets) {
    for (const { matter, senders, tasks } of vault) {
      for (const sender of senders) addSender(traces, sender, matter);
      for (const { task } of tasks) add(traces.task, folded(task), matter);
    }
    for (const mail of mails) {
      if (mail.template !== '') add(traces.template, mail.template, titleOf(mail));
      addSender(traces, mail.from, titleOf(mail));
      for (const line of linesIn(`${mail.subject}\n${mail.text}\n${mail.html}\n${mail.ics}`))
        add(traces.line, line, titleOf(mail));
    }
  }
  return traces;
}

/** Returns the same of the sentences and names in a folder of the trainer. */
export function tracesOfData(folder: string): Traces {
  const traces = noTraces();
  for (const name of fs.readdirSync(folder).filter((each) => each.endsWith('.tsv'))) {
    for (const row of fs.readFileSync(path.join(folder, name), 'utf8').split('\n')) {
      const words = row.split('\t').at(-1) ?? '';
      if (words === '' || row.startsWith('#')) continue;
      if (name.startsWith('tasks-')) add(traces.task, folded(words), name);
      for (const line of linesIn(words)) add(traces.line, line, name);
    }
  }
  return traces;
}

/** Returns what two parts share, apart from providers that anybody may use. */
export function leaksBetween(one: Traces, other: Traces): readonly Leak[] {
  return TRACES.flatMap((trace) =>
    [...one[trace]].filter(([words]) => other[trace].has(words)).map(([words, at]) => ({ trace, words, at })),
  );
}

function noTraces(): Record<Trace, Map<string, string>> {
  return { template: new Map(), sender: new Map(), domain: new Map(), task: new Map(), line: new Map() };
}

function add(seen: Map<string, string>, words: string, at: string): void {
  if (!seen.has(words)) seen.set(words, at);
}

/** An address, or `@domain`. */
function addSender(traces: Record<Trace, Map<string, string>>, written: string, at: string): void {
  const sender = written.toLowerCase();
  const host = sender.slice(sender.lastIndexOf('@') + 1);
  const domain = getDomain(host) ?? host;
  if (!sender.startsWith('@')) add(traces.sender, sender, at);
  if (!PROVIDERS.has(domain)) add(traces.domain, domain, at);
}

/** The lines that are long enough to be known again. */
function linesIn(text: string): readonly string[] {
  return text
    .split(/\n|<\/?(?:p|div|br|td|tr|li|h\d)\b[^>]*>/i)
    .map((line) => folded(line.replace(/<[^>]*>/g, ' ')))
    .filter((line) => line.split(' ').length >= LEAST_WORDS);
}

/** The letters alone: marks, figures and capitals make no other line of it. */
function folded(words: string): string {
  return words
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
}
