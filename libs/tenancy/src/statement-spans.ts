import { beginSpan, endSpan, inSpan, recordedSpan } from '@tenantry/tracing';

const description = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } } as const;

/** Runs a statement as a span of its name; its text and its values stay out of it. One without a name is none. */
export function asStatement<Result>(name: string | undefined, run: () => Promise<Result>): Promise<Result> {
  return name === undefined ? run() : inSpan(name, description, run);
}

/** Reads batches as one span, which lasts until the last was taken. */
export async function* batchesAsStatement(
  name: string | undefined,
  batches: AsyncIterable<unknown[]>,
): AsyncGenerator<unknown[]> {
  const parent = name === undefined ? undefined : recordedSpan();
  if (name === undefined || !parent) {
    yield* batches;
    return;
  }
  const span = beginSpan(name, description, parent);
  let failure: unknown;
  try {
    yield* batches;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    endSpan(span, failure);
  }
}
