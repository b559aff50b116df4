import { SaxesParser } from 'saxes';

const MOST_ELEMENTS = 600_000;
const MOST_DEPTH = 24;
/** In one element, but for the outermost: what a server says of one entry or calendar is far less. */
const MOST_CHILDREN = 500;
const MOST_ATTRIBUTES = 30;
const PIECE = 65_536;

/**
 * Returns why an answer is not to be made into a tree; null where it may. A tree of it takes memory for each element and time
 * for those that lie side by side, so both are counted before. Nothing is expanded.
 */
export function flawOfXml(text: string): string | null {
  const open: number[] = [];
  let elements = 0;
  let attributes = 0;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Impossible('it has a document type');
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > MOST_ATTRIBUTES) throw new Impossible('one of its elements has too many attributes');
  });
  parser.on('opentag', () => {
    attributes = 0;
    elements += 1;
    const siblings = (open.at(-1) ?? 0) + 1;
    if (open.length > 0) open[open.length - 1] = siblings;
    if (open.length > 1 && siblings > MOST_CHILDREN) throw new Impossible('too much lies side by side in it');
    if (elements > MOST_ELEMENTS) throw new Impossible('it has too many elements');
    if (open.push(0) > MOST_DEPTH) throw new Impossible('it is too deep');
  });
  parser.on('closetag', () => {
    open.pop();
  });
  try {
    for (let at = 0; at < text.length; at += PIECE) parser.write(text.slice(at, at + PIECE));
    parser.close();
    return null;
  } catch (error) {
    return error instanceof Impossible ? error.message : 'it is not well-formed';
  }
}

class Impossible extends Error {}
