/** What firms are called besides their name, and small words: they tell nobody apart. */
const COMMON: ReadonlySet<string> = new Set(
  'gmbh mbh ltd limited inc llc llp plc corp company sarl sas srl spa bvba gbr ohg aps ltda cie und and the der die das dem den des les las los del dei van von voor pour para per for mit bei herr frau mr mrs ms dr bank payment zahlung'.split(
    ' ',
  ),
);
const LEAST_LETTERS = 3;
const MOST_WORDS = 40;

/** Returns the words by which a counterparty is known, folded so that `MUELLER` and `Müller` are one. */
export function partyWords(name: string): readonly string[] {
  const words = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/(?<=[aou])e/g, '')
    .match(/\p{L}+/gu);
  const telling = (words ?? []).filter((word) => word.length >= LEAST_LETTERS && !COMMON.has(word));
  return [...new Set(telling)].slice(0, MOST_WORDS);
}
