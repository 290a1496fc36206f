import type { Locator } from 'playwright-core';
import type { Effort } from './effort.ts';

/** How somebody works in a page. */
export interface Hand {
  /** Presses a button, or follows a link. */
  readonly press: (target: Locator) => Promise<void>;
  /** Puts the focus into a field. */
  readonly enter: (field: Locator) => Promise<void>;
}

/** Keys alone. */
export const keyboard: Hand = {
  async press(target) {
    await tabTo(target);
    await target.page().keyboard.press('Enter');
  },
  enter: tabTo,
};

/** A mouse; `effort` is notified of clicks that the page does not handle. */
export const mouse = (effort?: Effort): Hand => pointing((target) => target.click(), effort);

/** A finger. */
export const finger: Hand = pointing((target) => target.tap());

function pointing(press: Hand['press'], effort?: Effort): Hand {
  return {
    press,
    async enter(field) {
      await field.waitFor();
      const isList = (await field.and(field.page().locator('select')).count()) > 0;
      if (!isList) return press(field);
      // Its list would open outside of the page.
      effort?.clicks.push('select');
      return field.focus();
    },
  };
}

/** More of them would be no way to use a page. */
const tabsMax = 150;

/** Presses Tab until something has the focus. */
export async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  const page = target.page();
  const focused = target.and(page.locator(':focus'));
  for (let tabs = 0; (await focused.count()) === 0; tabs += 1) {
    if (tabs > tabsMax) throw new Error(`Tab never leads to ${String(target)}`);
    await page.keyboard.press('Tab');
  }
}
