import { StewardError } from '../../vault/errors.ts';
import { sourceOf } from '../../vault/index/index-keys.ts';
import type { OrderRecord } from '../../vault/index/record.ts';
import { iso } from '../../vault/time.ts';
import type { ModelAccess } from '../context/ports.ts';
import { explainEvent, explainReversal } from './explain-event.ts';
import { explainSignal } from './explain-signal.ts';
import { explainSource } from './explain-source.ts';
import { explainStream, type StreamAccess } from './explain-stream.ts';
import { explainTarget } from './explain-target.ts';
import { BLANK, type Explanation, type Times } from './explanation.ts';

/**
 * Explains a note, given by name, path or link; a source by its name (`mail:anna@notary.example`); or a file of the stream.
 * Changes nothing, and asks no model. Throws `note-unknown`.
 */
export async function explain(
  space: ModelAccess & StreamAccess,
  written: string,
  times: Times = iso,
): Promise<Explanation> {
  const record = space.vault.catalogue.resolve(written, ['task', 'matter', 'signal', 'event', 'reversal']);
  switch (record?.kind) {
    case 'task':
    case 'matter':
      return explainTarget(space, record, times);
    case 'signal':
      return explainSignal(space, record, times);
    case 'event':
      return explainEvent(space, record, times);
    case 'reversal':
      return explainReversal(space, record, times);
    case 'order':
      return explainOrder(record);
    case 'instinct':
      return explainSource(space, sourceOf(record), record.path, times) ?? explainOther(space, written, times);
    case 'bad':
      return { ...BLANK, note: record.path, kind: 'bad', sentence: `It is left alone: ${record.trouble.message}` };
    default:
      return explainSource(space, written, written, times) ?? explainOther(space, written, times);
  }
}

function explainOrder({ path, fields }: OrderRecord): Explanation {
  const sentence =
    fields.outcome === null
      ? 'It answers a proposal; the steward reads it as soon as it is quiet.'
      : `Its answer to a proposal was refused: ${fields.outcome}.`;
  return { ...BLANK, note: path, kind: 'order', sentence };
}

function explainOther(space: StreamAccess, written: string, times: Times): Explanation {
  const stream = explainStream(space, written, times);
  if (stream !== null) return stream;
  if (!space.vault.catalogue.exists(written)) throw unknownNote(written);
  const sentence = 'It is an ordinary note of yours: the steward leaves it alone.';
  return { ...BLANK, note: written, kind: 'note', sentence };
}

function unknownNote(written: string): StewardError {
  return new StewardError({
    code: 'note-unknown',
    message: `There is no matter, task, signal, event, source or stream file named "${written}".`,
    hint: 'Give its name, its path in the vault, a link such as "[[name]]", a source such as mail:anna@notary.example, or a file such as stream/letter.eml.',
  });
}
