import { clipped, oneLine } from '../../vault/notes/note-text.ts';

/** The judge's orders in one message. */
export interface Ruling {
  readonly halts: readonly { readonly agent: string; readonly reason: string }[];
  /** Whether the debate has converged, in the judge's words; null where it does not say. */
  readonly converged: boolean | null;
}

const HALT = /^[\s>*_-]{0,8}HALT[*_]{0,3}\s?\[?`?([\p{L}\p{N}_-]{1,40})`?\]?[*_]{0,3}\s?:(.{0,400})$/gimu;
const CONVERGED = /^[\s>*_#-]{0,8}Convergence[*_]{0,3}\s?:[\s*_]{0,4}(yes|no|reached|not reached)\b/im;

/**
 * Reads the judge's orders: `HALT [agent]: fabricated data`, `Convergence: yes`. Ignores halts of anybody but these
 * agents.
 */
export function readRuling(text: string, agents: readonly string[]): Ruling {
  const halts = [...text.matchAll(HALT)].flatMap(({ 1: written = '', 2: reason = '' }) => {
    const agent = agents.find((name) => name.toLowerCase() === written.toLowerCase());
    return agent === undefined ? [] : [{ agent, reason: clipped(oneLine(reason), 200) }];
  });
  const word = CONVERGED.exec(text)?.[1]?.toLowerCase() ?? null;
  return { halts, converged: word === null ? null : word === 'yes' || word === 'reached' };
}
