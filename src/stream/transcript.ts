import type { ItemKind } from './items.ts';
import { looksSpoken } from './transcript-line.ts';

/** Transcripts of meetings as text: `Anna: …`, `[00:12:03] Anna: …`, `Anna Weber  0:03`, the chats of Zoom. */
export const TRANSCRIPT: ItemKind = {
  name: 'transcript',
  version: 1,
  title: 'a transcript of a meeting (txt)',
  sourceType: 'transcript',
  takes: (file) => /\.txt$/i.test(file),
  recognises: (head) => looksSpoken(new TextDecoder().decode(head.subarray(0, 32 * 1024))),
  isAppended: false,
  load: async () => (await import('./transcript-reader.ts')).readTranscript,
};
