import { setImmediate } from 'node:timers/promises';

/** Gives parts one by one; other requests have their turn between two of them. */
export async function* inTurns(parts: Iterable<string>): AsyncGenerator<string, void> {
  for (const part of parts) {
    yield part;
    await setImmediate();
  }
}
