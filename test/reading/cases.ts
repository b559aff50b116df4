import fs from 'node:fs';

/** Returns the cases of a file in test/reading/cases, each as its columns. Lines that begin with `#` are remarks. */
export function casesIn(file: string): readonly (readonly string[])[] {
  const lines = fs.readFileSync(new URL(`./cases/${file}`, import.meta.url), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split('\t'));
}

/** Returns the sentences that surely propose a change, with the change and its least confidence. */
export function surelyProposing(): readonly { readonly text: string; readonly set: object; readonly least: number }[] {
  return casesIn('sentences.tsv').flatMap(([meant = '', text = '']) => {
    const [, state, due, least] = /^(?:(done|archived)|due (\S+)) (0\.\d+)$/.exec(meant) ?? [];
    return least === undefined ? [] : [{ text, set: due === undefined ? { state } : { due }, least: Number(least) }];
  });
}
