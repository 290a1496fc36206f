import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { pageAt, pages } from '../src/pages.tsx';
import { pageRows } from './pages.rows.ts';
import { expectAccessible } from './support/accessibility.ts';
import { open } from './support/open.tsx';

const isThorough = import.meta.env['TEST_THOROUGH'] === '1';

// A page without a row fails. Each row is opened, and looked at in every way, in `npm run test:browser`.
describe('every page', () => {
  test('has a row for each side of the sign-in', () => {
    const opened = pageRows.map(({ path, state }) => [pageAt(path.split(/[?#]/)[0] ?? ''), state] as const);
    const known = new Set(opened.map(([page]) => page));
    expect(pages.filter((page) => !known.has(page))).toEqual([]);
    const signed = new Set(opened.flatMap(([page, state]) => (state.startsWith('signed') ? [page] : [])));
    expect(pages.filter((page) => page.access !== 'anyone' && !signed.has(page))).toEqual([]);
  });

  test.runIf(isThorough).each(pageRows)(
    '$path, $state',
    async ({ path, api: apiOf, shows, act, language }) => {
      await open(path, apiOf(), language && { language });
      if (act) {
        await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
        await act();
      }
      await expect.element(page.getByRole('heading', { name: shows, exact: true }).first()).toBeVisible();
      await expectAccessible();
    },
  );
});
