/** `full`: the queue is full, in total or for this sharer. `late`: its turn did not come in time. */
export type NoShareReason = 'full' | 'late';

/** Work got no share. The owner of the resource turns this into an error for its callers. */
export class NoShareError extends Error {
  override readonly name = 'NoShareError';
  readonly reason: NoShareReason;
  /** What is shared. */
  readonly shared: string;

  constructor(shared: string, reason: NoShareReason) {
    super(
      reason === 'full' ? `Too much work waits for ${shared}.` : `No share of ${shared} came free in time.`,
    );
    this.shared = shared;
    this.reason = reason;
  }
}
