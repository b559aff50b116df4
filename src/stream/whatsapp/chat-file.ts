import { fileTitle, folderTitle } from '../chats/file-title.ts';

/** The chat in the zip of an export. */
export const CHAT_IN_ZIP = /(?:^|\/)(?:_chat|whatsapp[^/]{1,200})\.txt$/i;

const TITLE =
  /^(?:whatsapp[- ]chat (?:with|mit|avec|con|met|com) |whatsapp chat - |chat de whatsapp con |discussion whatsapp avec )/i;
const NO_TITLE = /^_?chat$/i;

/** Returns what an exported chat is called, by the name of its file or of the folder it lies in; null where neither says so. */
export function chatTitle(file: string): string | null {
  const [own, folder] = [fileTitle(file), folderTitle(file)];
  const title = NO_TITLE.test(own) && TITLE.test(folder) ? folder : own;
  const name = title.replace(TITLE, '').trim();
  return name === '' || NO_TITLE.test(name) ? null : name;
}
