import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';

/** A phone of 390 by 844 CSS pixels that is touched. */
export const phone: BrowserContextOptions = {
  ...{ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 3 },
};

/** How far a page can be scrolled sideways, in CSS pixels. */
const sideways = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** What can be touched and is smaller than 24 CSS pixels, but for links in a sentence (WCAG 2.5.8). */
const smallTargets = `(() => {
  const top = document.querySelector('dialog[open]') ?? document;
  const isIn = (element, hit) =>
    hit !== null && (element.contains(hit) || hit.closest('label')?.control === element);
  const isText = (element) =>
    getComputedStyle(element).display === 'inline' &&
    element.parentElement.textContent.trim() !== element.textContent.trim();
  // A message over it goes away by itself.
  const hitAt = (element, x, y) =>
    document
      .elementsFromPoint(x, y)
      .find((hit) => element.contains(hit) || !hit.closest('section > [role="status"]')) ?? null;
  const place = [scrollX, scrollY];
  const small = [...top.querySelectorAll('a[href], button, input, select, textarea, summary')]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.disabled)
    .filter((element) => getComputedStyle(element).clipPath === 'none' && !isText(element))
    .filter((element) => {
      element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      // The first line of what is longer.
      const [{ left, right, top: above, bottom }] = element.getClientRects();
      const [x, y] = [(left + right) / 2, (above + bottom) / 2];
      const edges = [[-11.5, 0], [11.5, 0], [0, -11.5], [0, 11.5]];
      return !edges.every(([dx, dy]) => isIn(element, hitAt(element, x + dx, y + dy)));
    });
  scrollTo(...place);
  return small.map((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width + ' x ' + height + ': ' + element.outerHTML.slice(0, 200);
  });
})()`;

/** A page fits onto a phone, and a finger finds everything on it. */
export async function expectFitsPhone(page: Page): Promise<void> {
  expect(await page.evaluate(sideways), page.url()).toBe(0);
  expect(await page.evaluate(smallTargets), page.url()).toEqual([]);
}
