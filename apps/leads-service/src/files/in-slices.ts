import { setImmediate } from 'node:timers/promises';

const sliceMs = 10;

/** Gives what comes one by one; wherever that has taken a while, other requests have their turn first. */
export async function* inSlices<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  let since = performance.now();
  for await (const part of parts) {
    yield part;
    if (performance.now() - since < sliceMs) continue;
    await setImmediate();
    since = performance.now();
  }
}
