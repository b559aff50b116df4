import type { Extracted } from '../../steward/ports/extractor.ts';
import type { StreamEvent } from '../../steward/ports/stream-event.ts';
import { planeEvent, readHeard } from '../../stream/plane/heard.ts';
import type { TargetIndex } from '../../stream/targets/target-index.ts';
import type { IndexAccess } from '../context/ports.ts';

/** The event that a file of the source `plane` holds, or why it holds none. */
type PlaneFile = { readonly ok: true; readonly event: StreamEvent } | { readonly ok: false; readonly reason: string };

/** Whether a stream file is of the kind that the program writes when it hears of something in Plane. */
export function isPlaneFile(file: string, streamFolder: string): boolean {
  return file.startsWith(`${streamFolder}/plane/`) && file.endsWith('.json');
}

/** Reads such a file. Only what the program itself has written, under this very name, speaks for Plane. */
export function readPlaneFile({ context, vault }: IndexAccess, file: string, bytes: Uint8Array): PlaneFile {
  const heard = readHeard(bytes, file, context.seal);
  if (heard === null) return { ok: false, reason: 'it was not written by this program, which alone speaks for Plane' };
  const task = vault.catalogue.get(vault.catalogue.currentPath(heard.task));
  if (task?.kind !== 'task' || task.fields.plane_issue_id?.toLowerCase() !== heard.item) {
    return { ok: false, reason: 'its task is gone, or has another plane_issue_id by now' };
  }
  return { ok: true, event: planeEvent(heard, file, task.path) };
}

/** Returns what an event says in fields, where it does; null where its words must be read. Asks nobody. */
export function statedIn(event: StreamEvent, index: TargetIndex): Extracted | null {
  const { about, stated } = event;
  const target = about === undefined ? null : index.get(about);
  if (stated === undefined || target === null) return null;
  const meaning = {
    ...{ target: target.path, candidates: [target.path], ambiguous: false, targetConfidence: 1 },
    ...{ targetEvidence: ['link' as const], targetNear: true, endsMatter: false },
    ...{ quote: stated.quote, proposal: stated.proposal, effectConfidence: 1 },
    reasoning: `Plane says so of the work item that the task names: ${stated.quote}.`,
  };
  const isSaid = stated.proposal.set.state !== undefined && stated.proposal.set.state === target.state;
  return {
    meanings: isSaid ? [] : [meaning],
    skipped: isSaid ? 'the task says so already' : null,
    ...{ rejected: [], unusable: null, extractor: 'plane (embedded)', usage: null },
  };
}
