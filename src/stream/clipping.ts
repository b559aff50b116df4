import type { ItemKind } from './items.ts';

/** Notes in Markdown below the stream folder: web clippings, and notes that another program drops there. */
export const CLIPPING: ItemKind = {
  name: 'clipping',
  version: 1,
  title: 'a note or web clipping (Markdown)',
  sourceType: 'other',
  takes: (file) => /\.(?:md|markdown)$/i.test(file),
  recognises: (head) => !head.includes(0),
  isAppended: false,
  load: async () => (await import('./clipping-reader.ts')).readClipping,
};
