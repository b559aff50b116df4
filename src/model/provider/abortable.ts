/** Returns the result of `work`, or rejects with the signal's reason as soon as it aborts, even if the work goes on. */
export async function abortable<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  let stop: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
