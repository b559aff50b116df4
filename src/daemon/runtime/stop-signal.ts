/** Resolves when this process is asked to stop: by SIGTERM, SIGINT or SIGHUP. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
    process.once('SIGHUP', () => resolve()); // Node undoes what nohup asks for, so this is the end either way
  });
}
