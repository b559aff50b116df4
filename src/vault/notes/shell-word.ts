/** Returns a word as a person can paste it into a shell: as it is, or quoted where the shell would read something else. */
export function shellWord(word: string): string {
  if (/^[\p{L}\p{N}_@%+:,./][\p{L}\p{N}_@%+=:,./-]*$/u.test(word)) return word;
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
