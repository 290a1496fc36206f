/** A failure whose message is all its reader needs: programs print it alone, without a stack. */
export class ExplainedError extends Error {
  override readonly name = 'ExplainedError';
}
