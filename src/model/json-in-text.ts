/**
 * Returns the one JSON object in a text, whatever is around it: a fence, a greeting, a model's thoughts. Undefined where
 * there is none or more than one, since it is unclear which of several is meant, or who wrote it; unless they are the items
 * of one list: then that list.
 */
export function jsonIn(text: string): unknown {
  const said = afterThoughts(text);
  const values = objectsIn(said).flatMap((piece) => {
    const value = jsonOf(piece);
    return value === undefined ? [] : [value];
  });
  return values.length === 1 ? values[0] : listIn(said, values.length);
}

/**
 * Returns the list from the first bracket to the last that holds just so many objects and nothing else, or undefined. A list
 * inside one of the objects doesn't count.
 */
function listIn(text: string, objects: number): unknown {
  const [from, to] = [text.indexOf('['), text.lastIndexOf(']')];
  if (from < 0 || from > text.indexOf('{') || to < text.lastIndexOf('}')) return undefined;
  const value = jsonOf(text.slice(from, to + 1));
  if (!Array.isArray(value) || value.length !== objects) return undefined;
  return value.every((one) => typeof one === 'object' && one !== null && !Array.isArray(one)) ? value : undefined;
}

/** Returns the value of a text that is only JSON, or undefined. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function afterThoughts(text: string): string {
  const end = text.lastIndexOf('</think>');
  return end < 0 ? text : text.slice(end);
}

/** Returns the pieces from an outermost opening brace to the brace that closes it, in one pass. */
function objectsIn(text: string): string[] {
  const pieces: string[] = [];
  let [depth, from, quoted] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (quoted && character === '\\') at += 1;
    else if (character === '"') quoted = depth > 0 && !quoted;
    else if (quoted) continue;
    else if (character === '{') {
      if (depth === 0) from = at;
      depth += 1;
    } else if (character === '}' && depth > 0) {
      depth -= 1;
      if (depth === 0) pieces.push(text.slice(from, at + 1));
    }
  }
  return pieces;
}
