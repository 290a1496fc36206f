import regular from '@expo-google-fonts/source-sans-3/400Regular/SourceSans3_400Regular.ttf?url';
import semiBold from '@expo-google-fonts/source-sans-3/600SemiBold/SourceSans3_600SemiBold.ttf?url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { FakeApi } from './support/fake-api.ts';
import { apiOfLeads, leadRow } from './support/leads.ts';
import { open } from './support/open.tsx';
import { apiWithQuote } from './support/quotes.ts';
import { signedOut } from './support/starts.ts';
import { atWork } from './support/work.ts';

const isThorough = import.meta.env['TEST_THOROUGH'] === '1';
/** The Chromium that made the pictures: another one draws letters and edges a little otherwise. */
const madeBy = '156';
const chromium = /Chrome\/(\d+)/.exec(navigator.userAgent)?.[1];

/** Nothing that is written in letters which the font does not have. */
const leads = () => apiOfLeads({ rows: [2, 3, 4, 5, 6].map((n) => leadRow(n)) });
const subjects = [
  { name: 'sign-in', path: '/sign-in', api: () => new FakeApi(signedOut), shows: 'Forgot your password?' },
  { name: 'home', path: '/', api: atWork, shows: 'Kitchen' },
  { name: 'leads', path: '/leads', api: leads, shows: 'Lead 6' },
  { name: 'quote', path: '/quotes/a-quote', api: () => apiWithQuote(), shows: 'Delete draft' },
];
const looks = [
  { device: 'phone', width: 390, scheme: 'light' },
  { device: 'phone', width: 390, scheme: 'dark' },
  { device: 'desktop', width: 1280, scheme: 'light' },
  { device: 'desktop', width: 1280, scheme: 'dark' },
];
/** As high as the window that tests are in: what is higher is made smaller. */
const height = 720;
const still = `
  html { height: ${height}px; overflow: hidden !important; }
  * { font-family: Pictures !important; transition: none !important; animation: none !important; }
`;

// What pages look like, compared with pictures in __screenshots__: --update takes new ones where a change is meant.
describe.runIf(isThorough)('pictures', () => {
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-24T12:00:00Z') });
    // The fonts of a machine are its own.
    const faces = [new FontFace('Pictures', `url(${regular})`, { weight: '400' })];
    faces.push(new FontFace('Pictures', `url(${semiBold})`, { weight: '500 700' }));
    for (const face of await Promise.all(faces.map((each) => each.load()))) document.fonts.add(face);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(still);
    document.adoptedStyleSheets = [sheet];
  });
  afterAll(() => vi.useRealTimers());

  const cases = subjects.flatMap((subject) => looks.map((look) => ({ ...subject, ...look })));
  test.for(cases)('of $name, $scheme on a $device', async (subject, { skip }) => {
    const { name, path, api, shows, device, width, scheme } = subject;
    skip(
      chromium !== madeBy,
      `Chromium ${madeBy} made the pictures, and this is ${chromium}: say so in madeBy, and take new ones.`,
    );
    await page.viewport(width, height);
    document.documentElement.style.colorScheme = scheme;
    await open(path, api());
    await expect.element(page.getByText(shows).first()).toBeVisible();
    const comparatorOptions = { threshold: 0.2, allowedMismatchedPixelRatio: 0.0002 };
    const picture = expect(page.elementLocator(document.documentElement));
    await picture.toMatchScreenshot(`${name}-${scheme}-${device}`, { comparatorOptions });
  });
});
