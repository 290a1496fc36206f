import { setImmediate } from 'node:timers/promises';

/** Yields parts one by one, letting other requests run in between. */
export async function* inTurns(parts: Iterable<string>): AsyncGenerator<string, void> {
  for (const part of parts) {
    yield part;
    await setImmediate();
  }
}
