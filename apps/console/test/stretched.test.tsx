import { beforeAll, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { pageRows } from './pages.rows.ts';
import { hostileName } from './support/leads.ts';
import { open } from './support/open.tsx';
import { languageNames } from '../src/design/language.ts';
import { cutTexts, fixedTexts, stretchWords } from './support/stretched.ts';

const isThorough = import.meta.env['TEST_THOROUGH'] === '1';
const width = 320;
const command = 'curl "https://app.example.com/api/leads" -H "Authorization: Bearer"';
const imported = ['name,email', 'Åsa,asa@example.com', hostileName.slice(0, 80)];
/**
 * The id of every request that is refused, a command, the rows that somebody imports, where the organization has its seat, a domain as
 * people write it, and what languages call themselves.
 */
const languages = Object.values(languageNames);
const givenByTests = [
  'a-request',
  command,
  ...imported,
  'Sweden',
  'Göteborg',
  'müller-dach.example',
  ...languages,
];

// Every page in a language that needs more room, as translators would bring it.
describe.runIf(isThorough)('longer words', () => {
  beforeAll(stretchWords);

  const rows = pageRows.filter(({ language }) => language === undefined);
  test.each(rows)(
    'fit at $path, $state, and are all that is said',
    async ({ path, api: apiOf, shows, act }) => {
      const api = apiOf();
      await page.viewport(1280, 800);
      await open(path, api);
      if (act) {
        await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
        await act();
      }
      await expect.element(page.getByRole('heading', { name: shows }).first()).toBeVisible();
      await page.viewport(width, 700);
      await expect.poll(() => fixedTexts([api.replies, givenByTests])).toEqual([]);
      await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
      await expect.poll(cutTexts).toEqual([]);
    },
  );
});
