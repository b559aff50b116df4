const ITEM = /^(.+)#([0-9a-f]{12})$/;

/** Returns the path of an event in a file that holds many: the file, and what tells the event from the others. */
export function itemPath(file: string, id: string): string {
  return `${file}#${id}`;
}

/** Returns the file and the id in the path of such an event; null for a path of a file. */
export function itemIn(path: string): { readonly file: string; readonly id: string } | null {
  const [, file, id] = ITEM.exec(path) ?? [];
  return file === undefined || id === undefined ? null : { file, id };
}

/** Returns the file that holds an event, given the event's path. */
export function streamFileOf(path: string): string {
  return itemIn(path)?.file ?? path;
}
