import type { FaultEntry } from '../context/remembered/fault-entry.ts';

const MAX_MESSAGE_CHARS = 200;
const MAX_FRAMES = 20;
const MAX_FRAME_CHARS = 300;
/** Errors of the engine itself: their messages name parts of the program. */
const OF_ENGINE: ReadonlySet<string> = new Set(['TypeError', 'RangeError', 'ReferenceError']);

/** What an error is called, what it says, and where it came up. */
type Description = Pick<FaultEntry, 'name' | 'message' | 'stack'>;

/**
 * Describes an error, without what it could quote. A parser quotes what it read, and Node the arguments that it refuses. Of a
 * component that works with passwords (`isSecret`) only messages of the engine are kept.
 */
export function describeError(error: unknown, isSecret: boolean): Description {
  if (!(error instanceof Error)) return { name: typeof error, message: '', stack: '' };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  const isOfEngine = OF_ENGINE.has(error.name) && code === null;
  const isQuoting = error instanceof SyntaxError || code?.startsWith('ERR_') === true;
  const isKept = isOfEngine || (!isSecret && !isQuoting);
  return {
    name: code === null ? error.name : `${error.name} ${code}`,
    message: isKept ? (error.message.split('\n')[0] ?? '').slice(0, MAX_MESSAGE_CHARS) : '',
    stack: framesOf(error.stack ?? ''),
  };
}

function framesOf(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames
    .slice(0, MAX_FRAMES)
    .map((frame) => frame.trim().slice(0, MAX_FRAME_CHARS))
    .join('\n');
}
