/**
 * Returns what gives the value that `make` makes: made when it is first asked for, and then kept. For tables and patterns of many
 * words: most commands never read a text, and to compile them takes longer than those commands.
 */
export function lazily<Value extends object>(make: () => Value): () => Value {
  let made: Value | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
