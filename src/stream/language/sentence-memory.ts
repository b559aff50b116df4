/** So many sentences are remembered: greetings, signatures and small print come again and again. */
const MOST = 500;
/** Longer sentences hardly come again. */
const LONGEST = 200;

/** What was found out about sentences lately by their words alone; all is forgotten where there are too many. */
export class SentenceMemory<Value> {
  readonly #known = new Map<string, Value>();
  readonly #longest: number;

  /** `longest`: how many characters a sentence has at most that is remembered. */
  constructor(longest = LONGEST) {
    this.#longest = longest;
  }

  /** Returns what is remembered of a sentence. */
  get(sentence: string): Value | undefined {
    return sentence.length > this.#longest ? undefined : this.#known.get(keyOf(sentence));
  }

  /** Remembers something of a sentence, unless it is long. Returns it. */
  put(sentence: string, value: Value): Value {
    if (sentence.length > this.#longest) return value;
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(keyOf(sentence), value);
    return value;
  }
}

/** A sentence is a slice of its mail: as a key it would keep all of the mail in memory, so the key is a copy. */
function keyOf(sentence: string): string {
  return JSON.stringify(sentence);
}
