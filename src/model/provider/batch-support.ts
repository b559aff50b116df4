/** Whether a server takes batches, as far as this is known. Until a batch fails, it is assumed to. */
export class BatchSupport {
  #suspendedUntil = 0;

  /** Returns whether a batch may be sent to the server. `now`: epoch ms. */
  isAssumed(now: number): boolean {
    return now >= this.#suspendedUntil;
  }

  /** Records that the server took no batch. No other is sent to it before `at` (epoch ms). */
  suspendUntil(at: number): void {
    this.#suspendedUntil = at;
  }
}
