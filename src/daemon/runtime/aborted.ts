/**
 * Resolves once a signal is aborted. Without `node:events`, which the command table has loaded for itself: what `run` would
 * share with it would be one file more to find for every command.
 */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
