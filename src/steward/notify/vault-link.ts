/** Returns the address that opens a note in Obsidian. `vault`: the name of its folder; `path`: vault-relative. */
export function obsidianLink(vault: string, path: string): string {
  return `obsidian://open?vault=${encoded(vault)}&file=${encoded(path.replace(/\.md$/i, ''))}`;
}

// Half a surrogate is no text that an address could hold.
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
}
