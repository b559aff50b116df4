/**
 * Families of letters that are what they look like. Others are not known, or show something else: bars, blanks, signs.
 */
const PLAIN_FAMILIES: ReadonlySet<string> = new Set(
  `
  abel, archivo, arimo, arvo, asap, assistant, barlow, be vietnam pro, bitter, cabin, catamaran, cormorant garamond,
  crimson text, dm sans, dm serif display, dosis, droid sans, droid serif, eb garamond, exo 2, figtree, fira sans, heebo,
  hind, ibm plex mono, ibm plex sans, ibm plex serif, inconsolata, inter, inter tight, josefin sans, jost, kanit, karla,
  lato, lexend, libre baskerville, libre franklin, lora, manrope, maven pro, merriweather, merriweather sans, montserrat,
  mukta, muli, mulish, noto sans, noto serif, nunito, nunito sans, open sans, oswald, outfit, overpass, oxygen,
  playfair display, plus jakarta sans, poppins, prompt, pt sans, pt serif, public sans, quicksand, raleway, red hat display,
  red hat text, roboto, roboto condensed, roboto mono, roboto slab, rubik, signika, sora, source code pro, source sans 3,
  source sans pro, source serif 4, source serif pro, space grotesk, titillium web, ubuntu, urbanist, varela round, work sans
  `
    .split(',')
    .map((name) => name.replace(/\s+/g, ' ').trim()),
);
/** Serves nothing that a sender could have put there. */
const HOST = 'fonts.googleapis.com';
const PARAMETERS: ReadonlySet<string> = new Set(['family', 'display', 'subset']);
/** Families of a system that show signs in place of letters. */
const MARKS = /^(?:["']?)(?:wingdings|webdings|symbol|zapf ?dingbats|bookshelf symbol|marlett|mt extra)\b/;

/** Whether an address is a style sheet that brings letters as plain as a reader's own, and nothing else. */
export function bringsPlainLetters(address: string): boolean {
  const text = address.trim().replaceAll('&amp;', '&');
  const url = URL.parse(text.startsWith('//') ? `https:${text}` : text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.host !== HOST || !/^\/css2?$/.test(url.pathname))
    return false;
  if (![...url.searchParams.keys()].every((key) => PARAMETERS.has(key))) return false;
  const families = url.searchParams.getAll('family').flatMap((list) => list.split('|'));
  return families.every((family) => PLAIN_FAMILIES.has((family.split(':')[0] ?? '').trim().toLowerCase()));
}

/** Whether a list of families names one that shows signs in place of letters. */
export function namesMarks(families: string): boolean {
  return families.split(',').some((family) => MARKS.test(family.trim().toLowerCase()));
}
