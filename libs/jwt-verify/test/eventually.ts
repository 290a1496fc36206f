/** Waits until a condition holds, looking every 10 ms; fails after `withinMs` (10 s unless told). */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline)
      throw new Error(`not so within ${withinMs} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
