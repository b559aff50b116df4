import type { Capability } from '../daemon/capability.ts';
import type { Workspace } from '../daemon/context.ts';
import { SOURCES } from './source.ts';
import { knownReports, sourceProblems } from './source-note.ts';

/**
 * Polls servers and programs for events. The polling code is loaded by the daemon only: commands just report on the
 * sources.
 */
export const sources = {
  name: 'sources',
  words: 'the sources',
  isSecret: true,
  state: [SOURCES],
  /** The sources that are asked: one for each source note. */
  status: (space: Workspace) => ({ sourceNotes: knownReports(space).standings }),
  problems: sourceProblems,
  start: async (own) => {
    const { loadSource, SourceWork } = await import('./source-work.ts');
    return new SourceWork({ ...own, connect: loadSource, unexpected: own.reportFault });
  },
} satisfies Capability;
