import { patience } from '@tenantry/test-kit';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loseAnswers } from './console/connection.ts';
import { keyboard, tabTo } from './console/hands.ts';
import { corrected, fileWithMistakes, leadRow, rowsOf, textOf } from './console/lead-files.ts';
import { ConsoleStack, hasBrowser } from './console/stack.ts';
import { holdTimers, undoMs } from './console/timers.ts';
import { expectNothingElse, heading, reach } from './console/visitor.ts';
import { newEmail, type Person, type Tenant } from './matrix/people.ts';

// The daily work with leads, with the real services.

const seconds = 1_000;
const many = 10_000;

interface Lead {
  readonly id: string;
  readonly name: string;
  readonly phone: string | null;
  readonly notes: string | null;
  readonly status: string;
}

describe.skipIf(!hasBrowser)('leads in the console', () => {
  let stack: ConsoleStack;
  let team: Tenant;

  beforeAll(async () => {
    stack = await ConsoleStack.start();
    team = await stack.api.newTenant();
  });
  afterAll(() => stack.stop());

  const call = async <Data>(request: `${string} /${string}`, body?: object, by: Person = team.owner) =>
    (await stack.api.call<{ data: Data }>(request, body, by)).data;
  const newLead = async (name: string) =>
    (await call<Lead>('POST /api/leads', { name, email: newEmail() })).id;
  const read = (id: string) => call<Lead>(`GET /api/leads/${id}`);
  const totalOf = async (by: Person) =>
    (await stack.api.call<{ meta: { total: number } }>('GET /api/leads?pageSize=1', undefined, by)).meta
      .total;

  describe('are imported', () => {
    it('by keyboard alone, through two lost connections: each good row once, and every bad one named', async () => {
      const person = await stack.api.signUp();
      const { text, mistakes } = fileWithMistakes(many, 37);
      const [visitor, page] = await stack.signedIn(person, '/leads/import');
      await chooseFile(page, text);
      await page.getByText('9,963 rows can be imported as new leads.').waitFor();
      await page.getByText('37 rows cannot, and will be left out.').waitFor();

      const lost = page.getByText('The connection is lost. The import continues as soon as it is back.');
      let wentOffline = () => {};
      const isOffline = new Promise<void>((resolve) => (wentOffline = resolve));
      const answers = new Map([
        [1, () => Promise.resolve()],
        [2, () => visitor.context.setOffline(true).then(wentOffline)],
      ]);
      await loseAnswers(page, { url: '*/api/leads/import?*mode=rows*', answers });
      const sendAgain = await holdTimers(page, 1 * seconds);
      await keyboard.press(page.getByRole('button', { name: 'Import 9,963 rows' }));
      await lost.waitFor({ timeout: patience(60 * seconds) });
      await sendAgain();
      await isOffline;
      await lost.waitFor();
      await visitor.context.setOffline(false);

      await page.getByText('9,963 rows imported.').waitFor({ timeout: patience(60 * seconds) });
      await page.getByText('37 rows left out.').waitFor();
      expect(await totalOf(person)).toBe(many - 37);
      const report = await download(page, page.getByRole('link', { name: 'Save these rows as a file' }));
      expect(report.map(({ Line, Reason }) => ({ line: Number(Line), reason: Reason }))).toEqual(mistakes);

      await page.goto(`${stack.origin}/leads/import`);
      await chooseFile(page, textOf(report.map(corrected), Object.keys(report[0] ?? {})));
      await keyboard.press(page.getByRole('button', { name: 'Import 37 rows' }));
      await page.getByText('37 rows imported.').waitFor();
      expect(await totalOf(person)).toBe(many);
      await keyboard.press(page.getByRole('link', { name: 'Show the leads' }));
      await keyboard.press(page.getByRole('button', { name: 'More actions' }));
      const entry = page.getByRole('menuitem', { name: 'Export' });
      await reach(page, entry, 'ArrowDown');
      const exporting = page.waitForEvent('download');
      await page.keyboard.press('Enter');
      const exported = await rowsOf(await exporting);
      expect(exported).toHaveLength(many);
      const emails = new Set(exported.map(({ email = '' }) => email));
      const bad = new Set(mistakes.map(({ line }) => line - 2));
      const good = Array.from({ length: many }, (_, n) => n).filter((n) => !bad.has(n));
      expect(good.filter((n) => !emails.has(leadRow(n)['email'] ?? ''))).toEqual([]);
      expect(emails.size).toBe(many);
      await expectNothingElse(visitor);
    });

    async function chooseFile(page: Page, text: string): Promise<void> {
      const chooser = page.waitForEvent('filechooser');
      await keyboard.press(page.getByLabel('File', { exact: true }));
      await (await chooser).setFiles({ name: 'leads.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    }

    async function download(page: Page, link: Locator) {
      const downloaded = page.waitForEvent('download');
      await keyboard.press(link);
      return rowsOf(await downloaded);
    }
  });

  describe('are changed', () => {
    const edit = (page: Page, field: string) =>
      keyboard.press(page.getByRole('button', { name: `Change: ${field}` }));

    it('by two concurrently, by keyboard alone: both versions are shown, and nothing typed is lost', async () => {
      const id = await newLead('Karin Åström');
      const [me, mine] = await stack.signedIn(team.owner, `/leads/${id}`);
      const [them, theirs] = await stack.signedIn(team.admin, `/leads/${id}`);
      await edit(mine, 'Notes');
      await mine.keyboard.type('Call after five.\nHas a dog.');
      await edit(mine, 'Phone');
      await mine.keyboard.type('+46 8 111');
      await edit(theirs, 'Phone');
      await theirs.keyboard.type('+46 8 222');
      await theirs.keyboard.press('Enter');
      await theirs.getByRole('link', { name: '+46 8 222' }).waitFor();

      await mine.keyboard.press('Enter');
      const versions = mine.getByRole('row', { name: 'Phone +46 8 222 +46 8 111' });
      await versions.waitFor();
      expect(await mine.getByLabel('Phone', { exact: true }).inputValue()).toBe('+46 8 111');
      expect(await mine.getByLabel('Notes', { exact: true }).inputValue()).toBe(
        'Call after five.\nHas a dog.',
      );
      expect(await read(id)).toMatchObject({ phone: '+46 8 222', notes: null });
      await keyboard.press(mine.getByRole('button', { name: 'Save mine' }));
      await mine.getByRole('link', { name: '+46 8 111' }).waitFor();
      await tabTo(mine.getByLabel('Notes', { exact: true }));
      await mine.keyboard.press('Control+Enter');
      await mine.getByRole('button', { name: 'Change: Notes' }).waitFor();
      expect(await read(id)).toMatchObject({ phone: '+46 8 111', notes: 'Call after five.\nHas a dog.' });

      await edit(theirs, 'Notes');
      await theirs.keyboard.type('Call before noon.');
      await theirs.keyboard.press('Control+Enter');
      await theirs.getByRole('row', { name: /^Notes Call after five/ }).waitFor();
      await theirs.getByRole('row', { name: /^Phone \+46 8 111/ }).waitFor();
      await keyboard.press(theirs.getByRole('button', { name: 'Take theirs' }));
      await theirs.getByText('Has a dog.').waitFor();
      expect(await read(id)).toMatchObject({ notes: 'Call after five.\nHas a dog.' });
      await expectNothingElse(me, [`412 PATCH /api/leads/${id}`]);
      await expectNothingElse(them, [`412 PATCH /api/leads/${id}`]);
    });

    it('are deleted, and are back after Undo, by keyboard alone', async () => {
      const id = await newLead('Lost and Found');
      const [visitor, page] = await stack.signedIn(team.owner, `/leads/${id}`);
      const row = page.getByRole('table').getByRole('link', { name: 'Lost and Found' });
      await row.waitFor();
      await holdTimers(page, undoMs);
      await keyboard.press(page.getByRole('button', { name: 'Delete', exact: true }));
      await page.getByRole('status').getByText('Lost and Found was deleted').waitFor();
      await row.waitFor({ state: 'detached' });
      await page.keyboard.press('Control+Z');
      await row.waitFor();
      expect(await read(id)).toMatchObject({ name: 'Lost and Found' });
      await expectNothingElse(visitor);
    });
  });

  describe('are moved on the board', () => {
    it('by keyboard alone and said aloud; Undo takes it back, and leaving sends it immediately', async () => {
      const id = await newLead('Moving Maria');
      const [visitor, page] = await stack.signedIn(team.owner, '/leads/board?search=Moving');
      const handle = page.getByRole('button', { name: 'Move Moving Maria' });
      const said = (text: string | RegExp) =>
        page.getByRole('status').getByText(text, { exact: true }).waitFor();
      await tabTo(handle);
      const undoEnds = await holdTimers(page, undoMs);
      await page.keyboard.press('Space');
      await said(
        /^Moving Maria is held over New\. From New, a lead can move to Contacted\. .*Arrow keys choose/,
      );
      await page.keyboard.press('ArrowRight');
      await said('Over Contacted');
      await page.keyboard.press('Space');
      await said('Moving Maria moves to Contacted');
      const undo = page.getByRole('button', { name: 'Undo' });
      await page.keyboard.press('Control+Z');
      await undo.waitFor({ state: 'detached' });
      await expect.poll(() => handle.and(page.locator(':focus')).count()).toBe(1);
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Space');
      await said('Moving Maria moves to Contacted');
      expect((await read(id)).status).toBe('new');
      await undoEnds();
      await undo.waitFor({ state: 'detached' });
      await expect.poll(async () => (await read(id)).status).toBe('contacted');

      // Where it has arrived it is moved on from: only where it may go.
      await expect.poll(() => handle.and(page.locator(':focus')).count()).toBe(1);
      await page.keyboard.press('Space');
      await page.keyboard.press('ArrowRight');
      await said('Over Qualified');
      await page.keyboard.press('ArrowRight');
      await said('Over Lost');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Space');
      await said('Moving Maria moves to Qualified');
      await page.goto('about:blank');
      await expect.poll(async () => (await read(id)).status).toBe('qualified');
      const history = await call<{ from: string | null; to: string }[]>(`GET /api/leads/${id}/history`);
      expect(history.map(({ to }) => to)).toEqual(['qualified', 'contacted', 'new']);
      await expectNothingElse(visitor);
    });
  });

  describe('are ten thousand', () => {
    let owner: Person;

    beforeAll(async () => {
      owner = await stack.api.signUp();
      const rows = Array.from({ length: many }, (_, n) => leadRow(n));
      await stack.api.sendFile(
        'POST /api/leads/import',
        { mediaType: 'text/csv', content: textOf(rows) },
        owner,
      );
    });

    it('scroll and jump: what is shown is right at the end, at eight requests a second at most', async () => {
      const [visitor, page] = await stack.signedIn(owner, '/leads?sort=name');
      const asked: number[] = [];
      visitor.context.on('requestfinished', (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname === '/api/leads' && searchParams.get('page') !== '1')
          asked.push(request.timing().startTime);
      });
      await expectRightRows(page);
      await page.getByRole('table').hover();
      for (let turn = 0; turn < 60; turn += 1) await page.mouse.wheel(0, turn % 7 === 6 ? -9_000 : 5_000);
      await expectRightRows(page);
      for (const share of [0.9, 0.1, 0.5, 0.99, 0.3, 0.7, 0.02, 0.61]) {
        await page.evaluate(`document.querySelector('[role=table]').scrollTop = ${share * many * 44}`);
        await page.waitForTimeout(150);
      }
      await expectRightRows(page);
      await page.getByRole('table').getByRole('link').first().focus();
      await page.keyboard.press('End');
      await page.getByRole('link', { name: leadRow(many - 1)['name'] ?? '' }).waitFor();
      await expectRightRows(page);
      await page.keyboard.press('Home');
      await page.getByRole('link', { name: leadRow(0)['name'] ?? '' }).waitFor();
      await expectRightRows(page);
      for (const at of asked) {
        expect(asked.filter((other) => other >= at && other < at + 900).length).toBeLessThanOrEqual(8);
      }
      await expectNothingElse(visitor);
    });

    it('are where they were after Back: search, state, order, view, what is open and how far it was scrolled', async () => {
      const [visitor, page] = await stack.signedIn(owner, '/leads');
      const search = page.getByLabel('Search name or e-mail');
      const address = () => page.url().slice(stack.origin.length);
      await page.getByRole('table').waitFor();
      await page.getByRole('button', { name: 'Name', exact: true }).click();
      await expect.poll(address).toBe('/leads?sort=name');
      await search.fill('Lead 0');
      await expect.poll(address).toBe('/leads?search=Lead+0&sort=name');
      await page.getByRole('button', { name: /^New \d/ }).click();
      await expect.poll(address).toBe('/leads?search=Lead+0&status=new&sort=name');
      await expectRightRows(page);
      await page.evaluate(`document.querySelector('[role=table]').scrollTop = 5000 * 44 + 20`);
      await expectRightRows(page);
      const seen = await rowsInSight(page);
      await page.getByRole('link', { name: seen[3]?.name ?? '' }).click();
      await heading(page, seen[3]?.name ?? '');
      const opened = address();
      expect(opened).toMatch(/^\/leads\/[\w-]+\?search=Lead\+0&status=new&sort=name$/);
      await page.getByRole('link', { name: 'Board', exact: true }).click();
      await expect.poll(address).toBe(opened.replace('/leads/', '/leads/board/'));
      await heading(page, seen[3]?.name ?? '');
      await expect.poll(() => search.inputValue()).toBe('Lead 0');
      await page.getByRole('link', { name: 'Quotes', exact: true }).click();
      await heading(page, 'Quotes');

      await page.goBack();
      await expect.poll(address).toBe(opened.replace('/leads/', '/leads/board/'));
      await heading(page, seen[3]?.name ?? '');
      await page.goBack();
      await expect.poll(address).toBe(opened);
      await heading(page, seen[3]?.name ?? '');
      await expect.poll(() => rowsInSight(page)).toEqual(seen);
      await expect.poll(() => search.inputValue()).toBe('Lead 0');
      const state = page.getByRole('button', { name: /^New \d/ });
      await expect.poll(() => state.getAttribute('aria-pressed')).toBe('true');
      await page.goBack();
      await expect.poll(address).toBe('/leads?search=Lead+0&status=new&sort=name');
      await expect.poll(() => rowsInSight(page)).toEqual(seen);
      await page.goBack();
      await expect.poll(address).toBe('/leads?search=Lead+0&sort=name');
      await page.goBack();
      await expect.poll(address).toBe('/leads');
      await expect.poll(() => search.inputValue()).toBe('');
      await expectNothingElse(visitor);
    });

    interface SeenRow {
      readonly index: number;
      readonly name: string | null;
    }

    /** The rows that are in sight, by index. */
    const rowsInSight = (page: Page): Promise<SeenRow[]> =>
      page.evaluate(`(() => {
        const table = document.querySelector('[role=table]').getBoundingClientRect();
        return [...document.querySelectorAll('[role=row][aria-rowindex]:not([aria-rowindex="1"])')]
          .map((row) => ({ row, middle: row.getBoundingClientRect().top + row.clientHeight / 2 }))
          .filter(({ middle }) => middle > table.top && middle < table.bottom)
          .toSorted((one, other) => one.middle - other.middle)
          .map(({ row }) => ({
            index: Number(row.ariaRowIndex) - 2,
            name: row.querySelector('a')?.textContent ?? null,
          }));
      })()`);

    /** What is in sight once everything has come is what is at that place of the whole list. */
    async function expectRightRows(page: Page): Promise<void> {
      let before: string | undefined;
      const isAtRest = async () => {
        const rows = await rowsInSight(page);
        const isWhole = rows.length > 5 && rows.every(({ name }) => name !== null);
        const last = before;
        before = JSON.stringify(rows);
        return isWhole && before === last;
      };
      // A list stays, and says that it is busy, until the rows that were asked for instead are there.
      await page.locator('[role=table][aria-busy=false]').waitFor();
      await expect.poll(isAtRest, { interval: 300 }).toBe(true);
      const rows = JSON.parse(before ?? '[]') as SeenRow[];
      expect(rows.map(({ name }) => name)).toEqual(rows.map(({ index }) => leadRow(index)['name']));
    }
  });
});
