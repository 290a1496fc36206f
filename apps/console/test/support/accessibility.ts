import axe from 'axe-core';
import { expect } from 'vitest';
import { page } from 'vitest/browser';

const standard = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** What depends on colours and on room alone. */
const ofLooks = ['color-contrast', 'target-size', 'scrollable-region-focusable', 'link-in-text-block'];
const wide = { width: 1280, height: 800 };
const narrow = { width: 320, height: 700 };
const looks = [
  { ...wide, scheme: 'light' },
  { ...wide, scheme: 'dark' },
  { ...narrow, scheme: 'light' },
  { ...narrow, scheme: 'dark' },
] as const;
const isThorough = import.meta.env['TEST_THOROUGH'] === '1';

/**
 * What is shown now has no finding of axe, light and dark, and at both widths, nor anything that overflows the page.
 * `npm run test:browser` looks at all of it; else axe is asked wide and light, and the page measured at its narrowest.
 */
export async function expectAccessible(): Promise<void> {
  const still = new CSSStyleSheet();
  still.replaceSync('* { transition: none !important; animation: none !important; }');
  document.adoptedStyleSheets = [still];
  for (const [index, { width, height, scheme }] of looks.entries()) {
    const isFirst = index === 0;
    if (!isThorough && !isFirst && index < looks.length - 1) continue;
    await page.viewport(width, height);
    document.documentElement.style.colorScheme = scheme;
    const look = `${scheme}, ${width} px`;
    await expect
      .poll(() => document.documentElement.scrollWidth, { message: look })
      .toBeLessThanOrEqual(width);
    if (!isThorough && !isFirst) continue;
    const rules = isFirst
      ? { type: 'tag' as const, values: standard }
      : { type: 'rule' as const, values: ofLooks };
    const { violations } = await axe.run(document, { runOnly: rules, resultTypes: ['violations'] });
    const found = violations.map(
      ({ id, nodes }) => `${look}: ${id} at ${nodes.map(({ html }) => html).join(' ')}`,
    );
    expect(found).toEqual([]);
  }
  document.documentElement.style.colorScheme = '';
  await page.viewport(wide.width, wide.height);
}
