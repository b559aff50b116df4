/** Adds a value to those of a key. */
export function put(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}

/** Takes a value from those of a key; a key without any is gone. */
export function take(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  known?.delete(value);
  if (known?.size === 0) map.delete(key);
}
