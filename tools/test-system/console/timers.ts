import type { Page } from 'playwright-core';

/** How long something can be undone. */
export const undoMs = 5_000;

/** Holds the timers of a length that a page sets from now on, until they are released. @returns what releases them */
export async function holdTimers(page: Page, ms: number): Promise<() => Promise<void>> {
  await page.evaluate(`(() => {
    const { setTimeout: later, clearTimeout: stop } = window;
    const held = new Map();
    let last = 0;
    window.setTimeout = (run, ms, ...given) => {
      if (ms !== ${ms}) return later(run, ms, ...given);
      last -= 1;
      held.set(last, run);
      return last;
    };
    window.clearTimeout = (id) => held.delete(id) || stop(id);
    window.release = () => {
      const due = [...held.values()];
      held.clear();
      for (const run of due) run();
    };
  })()`);
  return () => page.evaluate('release()');
}
