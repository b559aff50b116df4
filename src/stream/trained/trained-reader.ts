import { inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import {
  type BoostedTrees,
  BUCKETS,
  type Change,
  EFFECTS,
  type LinearModel,
  MAIL_EFFECTS,
  TOPICS,
  treesOf,
} from '../trained.ts';
import stored from './reader.json' with { type: 'json' };

/** What was learnt of mails (train/README.md). */
export interface TrainedReader {
  /** Tells by words and letters what a sentence says has become of something. */
  readonly effects: LinearModel;
  /** Tells by the words and letters of all its sentences what a mail says. */
  readonly mails: LinearModel;
  /** Tell, with the cues of the sentence besides, how likely it says each change. */
  readonly changes: Readonly<Record<Change, BoostedTrees>>;
  /** Tells which kind of deed a sentence, or the name of a task, is about. */
  readonly topics: LinearModel;
  readonly fit: Fit;
  /** Of a fit at least this likely a change is proposed, 0–1. */
  readonly least: number;
}

/** Tells how likely a mail means a change of a task. */
export interface Fit {
  /** What each thing known of a change weighs, against what is known of the other changes. */
  readonly weights: readonly number[];
  /** Tell from what is known of those that weigh most how likely each is meant. */
  readonly trees: BoostedTrees;
}

const number = z.number();
const linear = z.strictObject({ bias: z.array(number), scale: number.positive(), weights: z.base64() });
const decision = z.tuple([number.int().min(0), number, number.int().min(1)]).readonly();
const node = z.union([decision, z.tuple([number]).readonly()]);
const tree = z.array(node).min(1).readonly().refine(isDownward, 'a node leads back, or out of its tree');
const trees = z.strictObject({ base: number, trees: z.array(tree).readonly() });
const file = z.strictObject({
  /** Of all that it was learnt from, and of the code that did. */
  made_from: z.string(),
  effects: linear,
  mails: linear,
  topics: linear,
  changes: z.strictObject({ done: trees, cancelled: trees, moved: trees }),
  fit: z.strictObject({ weights: z.array(number).readonly(), trees }),
  least: number.min(0).max(1),
});
export type ReaderFile = z.infer<typeof file>;

/** Returns the reader that comes with the program. Takes some milliseconds. */
export function storedReader(): TrainedReader {
  return readerIn(stored);
}

/** Returns the reader that the content of a file holds. Throws an Error that says what is wrong where it holds none. */
export function readerIn(content: unknown): TrainedReader {
  const read = file.safeParse(content);
  if (!read.success) throw new Error(`what was learnt of mails cannot be read: ${z.prettifyError(read.error)}`);
  return readerOf(read.data);
}

/** Returns the reader that a file holds. Throws an Error where its parts have not the right length. */
export function readerOf({ effects, mails, changes, topics, fit, least }: ReaderFile): TrainedReader {
  const { done, cancelled, moved } = changes;
  return {
    effects: linearOf(effects, EFFECTS),
    mails: linearOf(mails, MAIL_EFFECTS),
    changes: { done: treesOf(done), cancelled: treesOf(cancelled), moved: treesOf(moved) },
    topics: linearOf(topics, TOPICS),
    fit: { weights: fit.weights, trees: treesOf(fit.trees) },
    least,
  };
}

function linearOf({ bias, scale, weights }: ReaderFile['effects'], classes: readonly string[]): LinearModel {
  const bytes = unpacked(weights, classes.length * BUCKETS);
  const isWhole = bytes.length > 0 && bytes.length % classes.length === 0 && bias.length === classes.length;
  if (!isWhole) throw new Error(`what was learnt of mails has not as many weights for each of ${classes.join(', ')}`);
  return { classes, bias, scale, weights: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length) };
}

function unpacked(weights: string, maxOutputLength: number): Buffer {
  try {
    return inflateRawSync(Buffer.from(weights, 'base64'), { maxOutputLength });
  } catch (cause) {
    throw new Error('what was learnt of mails cannot be unpacked', { cause });
  }
}

/** Whether each node of a tree leads to later ones in it alone, so that whoever follows it comes to a leaf. */
function isDownward(nodes: readonly z.infer<typeof node>[]): boolean {
  return nodes.every(([, , above], at) => above === undefined || (above > at + 1 && above < nodes.length));
}
