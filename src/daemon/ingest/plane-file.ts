import type { Extracted, StreamEvent } from '../../steward/ports.ts';
import type { ParsedMail } from '../../stream/parse-mail.ts';
import { planeEvent, readHeard } from '../../stream/plane-heard.ts';
import type { TargetIndex } from '../../stream/targets-target-index.ts';
import { diagnostic } from '../../vault/errors.ts';
import type { IndexAccess } from '../context.ts';

/**
 * Reads what the program wrote when it heard of something in Plane. Only what carries its mark, under that very name, speaks
 * for Plane.
 */
export function readWritten({ context, vault }: IndexAccess, file: string, bytes: Buffer): ParsedMail {
  const heard = readHeard(bytes, file, context.seal);
  if (heard === null) return refused(file, 'It was not written by this program, which alone speaks for Plane.');
  const task = vault.catalogue.get(vault.catalogue.currentPath(heard.task));
  if (task?.kind !== 'task' || task.fields.plane_issue_id?.toLowerCase() !== heard.item) {
    return refused(file, 'Its task is gone, or has another plane_issue_id by now.');
  }
  const identity = { key: `plane ${file}`, version: '', otherwise: 'other' as const };
  return { ok: true, event: planeEvent(heard, file, task.path), identity };
}

function refused(file: string, message: string): ParsedMail {
  const hint = 'It stays where it is, and changes nothing.';
  return { ok: false, trouble: diagnostic({ code: 'plane-file', file, message, hint }) };
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
