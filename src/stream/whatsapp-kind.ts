import { namesInZip } from './chats-file-title.ts';
import type { ItemKind } from './items.ts';
import { CHAT_IN_ZIP, firstLine } from './whatsapp.ts';

const MEDIA_IN_ZIP = /(?:^|\/)(?:\d{8}-(?:photo|audio|video|sticker|gif)-|(?:img|vid|aud|ptt|stk|doc)-\d{8}-wa\d)/i;
const FIRST_LINES = 30;

/** Exports of WhatsApp chats: `_chat.txt`, `WhatsApp Chat with Anna.txt`, and their zips. */
export const WHATSAPP: ItemKind = {
  name: 'whatsapp',
  version: 1,
  title: 'a WhatsApp chat',
  sourceType: 'other',
  takes: (file) => /\.(?:txt|zip)$/i.test(file),
  recognises: (head) => isZipOfChat(head) || isChat(head),
  isAppended: false,
  load: async () => (await import('./whatsapp-reader.ts')).readWhatsApp,
};

function isZipOfChat(head: Uint8Array): boolean {
  return namesInZip(head).some((name) => CHAT_IN_ZIP.test(name) || MEDIA_IN_ZIP.test(name));
}

function isChat(head: Uint8Array): boolean {
  const lines = new TextDecoder().decode(head.subarray(0, 16 * 1024)).split('\n', FIRST_LINES);
  return lines.some((line) => firstLine(line) !== null);
}
