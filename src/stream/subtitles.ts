import type { ItemKind } from './items.ts';

const TIMES = /\d{1,2}:\d{2}[.,:]\d{2,3}[ \t]{0,8}-->/;

/** Subtitles and transcripts with times: `.vtt`, `.srt`. */
export const SUBTITLES: ItemKind = {
  name: 'subtitles',
  version: 1,
  title: 'subtitles or a transcript with times (vtt, srt)',
  sourceType: 'transcript',
  takes: (file) => /\.(?:vtt|srt)$/i.test(file),
  recognises: (head) => {
    const text = textOf(head);
    return /^\uFEFF?WEBVTT(?:[ \t\r\n]|$)/.test(text) || TIMES.test(text);
  },
  isAppended: false,
  load: async () => (await import('./subtitles-reader.ts')).readSubtitles,
};

/** Half of the bytes of a text in UTF-16 are NUL: without them its marks are found as well. */
function textOf(head: Uint8Array): string {
  return new TextDecoder()
    .decode(head)
    .replaceAll('\0', '')
    .replace(/^\uFFFD{1,2}/, '');
}
