import { deflateRawSync } from 'node:zlib';
import type { LinearModel, ReaderFile } from '../src/reading/learnt.ts';
import type { Learnt } from './linear-training.ts';

const STEPS = 127;

/** Returns learnt weights as the program uses them: in steps of 1/127 of the largest. */
export function linearModel({ weights, bias }: Learnt, classes: readonly string[]): LinearModel {
  const most = weights.reduce((largest, weight) => Math.max(largest, Math.abs(weight)), 1e-6);
  const scale = Number((most / STEPS).toPrecision(6));
  const steps = Int8Array.from(weights, (weight) => Math.max(-STEPS, Math.min(STEPS, Math.round(weight / scale))));
  return { classes, bias: [...bias].map((one) => Math.round(one * 1e4) / 1e4), scale, weights: steps };
}

/** Returns a model as the reader's file has it. */
export function packed({ weights, bias, scale }: LinearModel): ReaderFile['effects'] {
  const bytes = deflateRawSync(new Uint8Array(weights.buffer, weights.byteOffset, weights.length), { level: 9 });
  return { bias: [...bias], scale, weights: bytes.toString('base64') };
}
