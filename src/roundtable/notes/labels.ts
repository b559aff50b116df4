/** A label as it stands in escaped text: `P01 \[cost first\]`; and whether a link would follow at once. */
const LABEL = /(?<![\p{L}\p{N}\\])([PT]\d{2}[*_]{0,3} ?)\\\[((?:[^\\\]]|\\.){0,200}?)\\\](?=([(:\\[])?)/gu;
/** What a label may hold: nothing that is a mark in a note, by itself or beside another. */
const KEPT = /[^\p{L}\p{M}\p{N} .,;?!()'’"“”+/–—-]+/gu;
const NO_LABEL = 'no label';
const MAX_LABEL = 80;

/** Returns escaped text with its labels readable again, `P01 [cost first]`: in a label only plain characters are left. */
export function withPlainLabels(escaped: string): string {
  return escaped.replace(LABEL, (_, id: string, label: string, next: string | undefined) => {
    const apart = next === undefined ? '' : ' '; // a bracket or colon right behind it would make a link of it
    return `${id}[${plainLabel(label.replace(/\\(.)/gu, '$1'))}]${apart}`;
  });
}

/** Returns what is left of a label when everything that could be a mark in a note is taken out. */
export function plainLabel(label: string): string {
  const clean = label.replace(KEPT, ' ').replace(/www\./gi, 'www ').replace(/ {2,}/g, ' ');
  const plain = [...clean.trim()].slice(0, MAX_LABEL).join('').trim();
  return /[\p{L}\p{N}]/u.test(plain) ? plain : NO_LABEL;
}
