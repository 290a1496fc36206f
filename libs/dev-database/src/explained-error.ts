/** An error whose message suffices: programs print it without a stack. */
export class ExplainedError extends Error {
  override readonly name = 'ExplainedError';
}
