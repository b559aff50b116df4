import type { ItemKind } from './items.ts';

/** Exports of a Matrix room in JSON, as Element writes them. */
export const MATRIX: ItemKind = {
  name: 'matrix',
  version: 1,
  title: 'a Matrix room (JSON)',
  sourceType: 'other',
  takes: (file) => /\.json$/i.test(file),
  recognises: (head) => {
    const text = new TextDecoder().decode(head);
    return /"(?:messages|chunk|events)"/.test(text) && /"(?:room_name|origin_server_ts)"\s{0,40}:/.test(text);
  },
  isAppended: false,
  load: async () => (await import('./matrix-reader.ts')).readMatrix,
};
