import { expect } from 'vitest';

/** Waits until a condition holds, looking every 10 ms, as long as Vitest waits for anything. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  await expect.poll(condition, { interval: 10, message: condition.toString() }).toBe(true);
}
