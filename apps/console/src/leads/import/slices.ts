/** What does not keep a page from drawing and from hearing keys. */
const sliceMs = 8;

/** Runs a generator to its end in short slices, between which the page continues. @throws the reason of the signal */
export async function inSlices<Result>(
  work: Generator<unknown, Result>,
  signal: AbortSignal,
  now: () => number = () => performance.now(),
): Promise<Result> {
  for (let until = now() + sliceMs; ;) {
    signal.throwIfAborted();
    const step = work.next();
    if (step.done === true) return step.value;
    if (now() < until) continue;
    await new Promise((resolve) => setTimeout(resolve));
    until = now() + sliceMs;
  }
}
