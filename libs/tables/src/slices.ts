import { setImmediate } from 'node:timers/promises';

const sliceMs = 10;

/** Yields items one by one, letting other requests run in between. */
export async function* inSlices<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  let since = performance.now();
  for await (const part of parts) {
    yield part;
    if (performance.now() - since < sliceMs) continue;
    await setImmediate();
    since = performance.now();
  }
}
