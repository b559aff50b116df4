import { oneLine } from '../mail/plain-text.ts';

/** What copying and downloading append to a name: ` (1)`, ` - Copy`, ` 2`. */
const COPY_MARK = /(?: \(\d{1,3}\)| - copy| copy| - kopie)+$/i;
const MAX_TITLE = 120;

/** Returns what a file is called, without its folder, its ending and the marks of a copy. */
export function fileTitle(file: string): string {
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.[^.]{1,16}$/, '');
  return oneLine(name, 400).slice(0, MAX_TITLE).replace(COPY_MARK, '').trim();
}

/** Returns the name of the folder that a file lies in; empty where it lies in none. */
export function folderTitle(file: string): string {
  const folder = file.slice(0, Math.max(0, file.lastIndexOf('/')));
  return oneLine(folder.slice(folder.lastIndexOf('/') + 1), MAX_TITLE);
}
