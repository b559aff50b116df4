import type { ItemKind } from './items.ts';

const SHAPES: readonly (readonly RegExp[])[] = [
  // sigexport: one message a line
  [/^\s{0,20}\{\s{0,4}"date"\s{0,4}:/, /"sender"\s{0,4}:/, /"body"\s{0,4}:/],
  // sigtop: a list of messages as Signal keeps them
  [/^\s{0,20}\[/, /"sent_at"\s{0,4}:/, /"conversationId"\s{0,4}:/],
  // signal-cli: what it received, one a line
  [/^\s{0,20}\{/, /"envelope"\s{0,4}:/, /"(?:sourceUuid|sourceNumber|source)"\s{0,4}:/],
];

/** Exports of Signal: those of sigexport (`data.json`), of sigtop, and what signal-cli received. */
export const SIGNAL_CHAT: ItemKind = {
  name: 'signal',
  version: 1,
  title: 'a Signal export (JSON)',
  sourceType: 'other',
  takes: (file) => /\.(?:json|jsonl|ndjson)$/i.test(file),
  recognises: (head) => {
    const text = new TextDecoder().decode(head);
    return SHAPES.some((shape) => shape.every((mark) => mark.test(text)));
  },
  isAppended: false,
  load: async () => (await import('./signal-chat-reader.ts')).readSignal,
};
