import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { patience } from '@tenantry/test-kit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { models } from '../src/database.ts';
import { createQuote, quotesUrl, readQuote, startService } from './support/service.ts';
import type { Caller, TestService } from './support/service.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
let service: TestService;
let mails: string;
beforeAll(async () => {
  mails = await mkdtemp(join(tmpdir(), 'tenantry-settings-'));
  service = await startService({ env: { MAIL_DIRECTORY: mails }, now: () => now });
});
afterAll(async () => {
  await service.close();
  await rm(mails, { recursive: true });
});

const organization = (organizationId: string, settings: object = {}, type = 'organization.updated') => ({
  ...{ type, organizationId, name: 'Tak & Bygg', slug: 'tak', createdAt: now.toISOString() },
  settings: {
    ...{ defaultCurrency: 'EUR', vatRate: 24, quoteNumberPrefix: 'TB', requireTwoFactor: false },
    ...settings,
  },
});
const newQuote = async (organizationId: string) => {
  const member = await service.member({ organizationId });
  return readQuote(member, await createQuote(member));
};

/** Mails a quote, and gives the page that the link in the mail opens, without the link's own token. */
async function sendAndOpen(member: Caller, id: string, how: 'send' | 'resend' = 'send'): Promise<string> {
  const body = { recipientEmail: 'karin@astrom.example' };
  expect((await member.send('POST', `${quotesUrl}/${id}/${how}`, { body })).status).toBeLessThan(300);
  const deliveries = await member.send('GET', `${quotesUrl}/${id}/deliveries`);
  const mail = join(mails, `${deliveries.body.data[0]?.id ?? ''}.txt`);
  const text = await vi.waitFor(() => readFile(mail, 'utf8'), patience());
  const [token = ''] = /quote_[\w-]{86}/.exec(text) ?? [];
  const page = await service.app.inject(`/api/quotation/offer?token=${token}`);
  expect(page.statusCode).toBe(200);
  return page.body.replaceAll(token, '');
}

/** One pixel. */
const red = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);
const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** The digests of the pictures that the service keeps of an organization. */
async function logosOf(organizationId: string): Promise<string[]> {
  const kept = await models(service.database.within({ organizationId })).logo.findMany();
  return kept.map(({ digest }) => digest);
}

describe('what an organization has decided', () => {
  it('is what its quotes begin with, as soon as auth-service tells it', async () => {
    const organizationId = randomUUID();
    expect(await newQuote(organizationId)).toMatchObject({
      number: 'Q-2026-0001',
      currency: 'SEK',
      vatRate: 25,
    });
    service.feed.tell(organization(organizationId));
    await expect.poll(async () => (await newQuote(organizationId)).currency).toBe('EUR');
    service.feed.tell(organization(organizationId, { vatRate: 10, quoteNumberPrefix: 'OFF' }));
    await vi.waitFor(async () => {
      const { number, vatRate } = await newQuote(organizationId);
      expect([number.slice(0, 8), vatRate]).toEqual(['OFF-2026', 10]);
    }, patience());
  });

  it('is no other organization’s', async () => {
    const organizationId = randomUUID();
    service.feed.tell(organization(organizationId));
    await expect.poll(async () => (await newQuote(organizationId)).currency).toBe('EUR');
    expect(await newQuote(randomUUID())).toMatchObject({ currency: 'SEK' });
  });

  it('changes no existing quote, and continues its numbers', async () => {
    const organizationId = randomUUID();
    const before = await newQuote(organizationId);
    service.feed.tell(organization(organizationId));
    await expect.poll(async () => (await newQuote(organizationId)).currency).toBe('EUR');
    const member = await service.member({ organizationId });
    expect(await readQuote(member, before.id)).toEqual(before);
    const { body } = await member.send('GET', `${quotesUrl}?sort=number&pageSize=100`);
    expect(body.data.map(({ number }) => Number(number.slice(-4)))).toEqual(body.data.map((_, n) => n + 1));
  });

  it('appears in the contract as it was when the quote was sent', async () => {
    const organizationId = randomUUID();
    service.feed.tell(organization(organizationId));
    await expect.poll(async () => (await newQuote(organizationId)).currency).toBe('EUR');
    const member = await service.member({ organizationId });
    const id = await createQuote(member);
    for (const move of ['send', 'accept', 'contract']) {
      const body = move === 'send' ? { body: { recipientEmail: 'karin@astrom.example' } } : {};
      expect((await member.send('POST', `${quotesUrl}/${id}/${move}`, body)).status, move).toBeLessThan(300);
      service.feed.tell({ ...organization(organizationId), name: `Renamed before ${move}` });
    }
    const { body } = await member.send('GET', `${quotesUrl}/${id}/contract`);
    expect(body.data).toMatchObject({ seller: { name: 'Tak & Bygg', address: '', vatNumber: '' } });
  });

  it('dates its documents by its own days and signs them with its address, as they were when a quote was sent', async () => {
    const organizationId = randomUUID();
    const seller = {
      timeZone: 'Pacific/Auckland',
      address: { lines: ['1 Queen Street'], postalCode: '1010', city: 'Auckland', country: 'NZ' },
      vatNumber: 'NZ123456789',
    };
    service.feed.tell(organization(organizationId, seller));
    await expect.poll(async () => (await newQuote(organizationId)).currency).toBe('EUR');
    const member = await service.member({ organizationId });
    const id = await createQuote(member, { validUntil: '2026-12-24' });
    // The end of that day in Auckland, where it is summer time.
    expect((await readQuote(member, id)).validUntil).toBe('2026-12-24T10:59:59.999Z');
    const sent = await sendAndOpen(member, id);
    expect(sent).toContain('valid until 24 December 2026');
    // It is the 22nd there already.
    expect(sent).toContain('22 November 2026');
    expect(sent).toContain('1 Queen Street\n1010 Auckland\nNew Zealand');
    expect(sent).toContain('NZ123456789');

    service.feed.tell(
      organization(organizationId, { timeZone: 'UTC', address: null, vatNumber: null, vatRate: 5 }),
    );
    await expect.poll(async () => (await newQuote(organizationId)).vatRate).toBe(5);
    expect(await sendAndOpen(member, id, 'resend')).toBe(sent);
    // A revision is valid until the same day, which ends at another time by now.
    const revision = await member.send('POST', `${quotesUrl}/${id}/revise`);
    expect((await readQuote(member, revision.body.data.id)).validUntil).toBe('2026-12-24T23:59:59.999Z');
  });

  it('ends the validity of its quotes with a day, and says the time where it was given another end', async () => {
    const organizationId = randomUUID();
    service.feed.tell(organization(organizationId, { timeZone: 'Europe/Stockholm' }));
    await expect.poll(async () => (await newQuote(organizationId)).currency).toBe('EUR');
    const member = await service.member({ organizationId });
    const id = await createQuote(member);
    expect((await readQuote(member, id)).validUntil).toBe('2026-12-21T22:59:59.999Z');
    const copy = await member.send('POST', `${quotesUrl}/${id}/duplicate`);
    expect((await readQuote(member, copy.body.data.id)).validUntil).toBe('2026-12-21T22:59:59.999Z');
    const page = await sendAndOpen(member, id);
    expect(page).toContain('valid until 21 December 2026.');
    const timed = await createQuote(member, { validUntil: '2026-12-21T13:30:00Z' });
    expect(await sendAndOpen(member, timed)).toContain('valid until 21 December 2026 at 14:30 CET.');
  });

  it('shows its logo on page and PDF, and what was sent keeps the one that it was sent with', async () => {
    const organizationId = randomUUID();
    const member = await service.member({ organizationId });
    const logo = sha256(red);
    service.feed.show(organizationId, { mediaType: 'image/png', content: red });
    service.feed.tell({ ...organization(organizationId), logo });
    const id = await createQuote(member);
    const pdf = () => member.send('GET', `${quotesUrl}/${id}/pdf`);
    await expect.poll(async () => (await pdf()).status, { timeout: patience() }).toBe(200);
    expect((await pdf()).text).toContain('/Subtype /Image');
    const page = await sendAndOpen(member, id);
    expect(page).toContain(`src="data:image/png;base64,${red.toString('base64')}"`);

    service.feed.show(organizationId, undefined);
    service.feed.tell({ ...organization(organizationId, { vatRate: 5 }), logo: null });
    await expect.poll(async () => (await newQuote(organizationId)).vatRate).toBe(5);
    expect(await sendAndOpen(member, id, 'resend')).toBe(page);
    const next = await createQuote(member);
    expect(await sendAndOpen(member, next)).not.toContain('data:image');
    expect(await logosOf(organizationId)).toEqual([logo]);
  });

  it('shows a logo from the first request after it was set, and refuses none for it', async () => {
    const organizationId = randomUUID();
    const member = await service.member({ organizationId });
    service.feed.tell(organization(organizationId));
    const id = await createQuote(member);
    service.feed.show(organizationId, { mediaType: 'image/png', content: red });
    service.feed.tell({ ...organization(organizationId), logo: sha256(red) });
    const pdf = await member.send('GET', `${quotesUrl}/${id}/pdf`);
    expect([pdf.status, pdf.text.includes('/Subtype /Image')]).toEqual([200, true]);
    const green = Buffer.from(red).fill(0xbb, red.length - 20, red.length - 12);
    service.feed.show(organizationId, { mediaType: 'image/png', content: green });
    service.feed.tell({ ...organization(organizationId), logo: sha256(green) });
    expect(await sendAndOpen(member, id)).toContain(green.toString('base64'));
  });

  it('is refused while its logo has not been fetched: no quote goes without it, or with the one before [S-77]', async () => {
    const organizationId = randomUUID();
    const member = await service.member({ organizationId });
    service.feed.show(organizationId, { mediaType: 'image/png', content: red });
    service.feed.tell({ ...organization(organizationId), logo: sha256(red) });
    const id = await createQuote(member);
    await expect.poll(() => logosOf(organizationId)).toEqual([sha256(red)]);

    // auth-service does not hand it out yet.
    const blue = Buffer.from(red).fill(0xaa, red.length - 20, red.length - 12);
    service.feed.tell({ ...organization(organizationId), logo: sha256(blue) });
    const body = { recipientEmail: 'karin@astrom.example' };
    for (const answer of [
      await member.send('POST', `${quotesUrl}/${id}/send`, { body }),
      await member.send('GET', `${quotesUrl}/${id}/pdf`),
    ]) {
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    }
    expect((await readQuote(member, id)).status).toBe('draft');
    // What shows no logo goes on.
    const next = await createQuote(member);

    const green = Buffer.from(red).fill(0xbb, red.length - 20, red.length - 12);
    service.feed.show(organizationId, { mediaType: 'image/png', content: green });
    service.feed.tell({ ...organization(organizationId), logo: sha256(green) });
    await expect.poll(() => logosOf(organizationId), { timeout: patience() }).toEqual([sha256(green)]);
    expect(await sendAndOpen(member, next)).toContain(green.toString('base64'));
  });

  it('goes without a logo that auth-service does not have, or that cannot be drawn [S-77]', async () => {
    const broken = Buffer.from('no picture at all');
    for (const content of [undefined, broken]) {
      const organizationId = randomUUID();
      const member = await service.member({ organizationId });
      service.feed.show(organizationId, content && { mediaType: 'image/png', content });
      service.feed.tell({ ...organization(organizationId), logo: sha256(content ?? red) });
      const id = await createQuote(member);
      const pdf = () => member.send('GET', `${quotesUrl}/${id}/pdf`);
      await expect.poll(async () => (await pdf()).status, { timeout: patience() }).toBe(200);
      expect((await pdf()).text).not.toContain('/Subtype /Image');
      const body = { recipientEmail: 'karin@astrom.example' };
      expect((await member.send('POST', `${quotesUrl}/${id}/send`, { body })).status).toBe(200);
    }
  });

  it('fetches a logo once it can, and drops one that no quote was sent with', async () => {
    const organizationId = randomUUID();
    service.feed.tell({ ...organization(organizationId), logo: sha256(red) });
    await expect.poll(async () => (await newQuote(organizationId)).currency).toBe('EUR');
    // auth-service has said that there is none.
    const stored = models(service.database.within({ organizationId }));
    await expect.poll(() => stored.dueWork.count({ where: { kind: 'logo' } })).toBe(0);
    expect(await logosOf(organizationId)).toEqual([]);
    const blue = Buffer.from(red).fill(0xaa, red.length - 20, red.length - 12);
    for (const content of [red, blue]) {
      service.feed.show(organizationId, { mediaType: 'image/png', content });
      service.feed.tell({ ...organization(organizationId), logo: sha256(content) });
      await expect.poll(() => logosOf(organizationId)).toEqual([sha256(content)]);
    }
    service.feed.tell({ type: 'organization.deleted', organizationId });
    await expect.poll(() => logosOf(organizationId)).toEqual([]);
  });

  it('fetches a logo that is named again after it was dropped, and before that work has ended', async () => {
    const organizationId = randomUUID();
    const logo = sha256(red);
    const stored = models(service.database.within({ organizationId }));
    const named = async () => (await stored.organizationSettings.findFirst())?.logoDigest;
    let deny = (): void => undefined;
    service.feed.show(organizationId, new Promise((resolve) => (deny = () => resolve(undefined))));
    service.feed.tell({ ...organization(organizationId), logo });
    await expect
      .poll(() => stored.dueWork.findFirst({ where: { kind: 'logo', organizationId } }))
      .toMatchObject({ attempts: 1 });
    const holder = new pg.Client(service.testDatabase.adminUrl);
    await holder.connect();
    onTestFinished(() => holder.end());
    // The work cannot be removed as long as its row is locked.
    await holder.query('BEGIN');
    await holder.query(`SELECT FROM due_work WHERE kind = 'logo' AND organization_id = $1 FOR KEY SHARE`, [
      organizationId,
    ]);
    deny();
    await expect.poll(named).toBeNull();
    service.feed.show(organizationId, { mediaType: 'image/png', content: red });
    service.feed.tell({ ...organization(organizationId), logo });
    await expect.poll(named).toBe(logo);
    await holder.query('COMMIT');
    await expect.poll(() => logosOf(organizationId)).toEqual([logo]);
    expect(await named()).toBe(logo);
  });

  it('is never used as it was: a quote is refused while it cannot be asked for [S-74]', async () => {
    const organizationId = randomUUID();
    service.feed.tell(organization(organizationId));
    const member = await service.member({ organizationId });
    const id = await createQuote(member);
    expect((await readQuote(member, id)).vatRate).toBe(24);

    service.feed.isAway = true;
    service.feed.tell({ ...organization(organizationId, { vatRate: 10 }), name: 'Renamed' });
    for (const [path, body] of [
      ['', { customerId: randomUUID(), title: 'Roof' }],
      [`/${id}/duplicate`, undefined],
      [`/${id}/send`, { recipientEmail: 'karin@astrom.example' }],
    ] as const) {
      const { status, headers } = await member.send('POST', `${quotesUrl}${path}`, body && { body });
      expect([path, status, headers['retry-after']]).toEqual([path, 503, '1']);
    }
    expect((await member.send('GET', `${quotesUrl}/${id}/pdf`)).status).toBe(503);
    // What needs no settings goes on.
    expect((await member.send('PUT', `${quotesUrl}/${id}`, { body: { title: 'Tower' } })).status).toBe(200);
    service.feed.isAway = false;
    expect((await newQuote(organizationId)).vatRate).toBe(10);
    expect(await sendAndOpen(member, id)).toContain('Renamed');
    service.feed.isAway = true;
    expect((await member.send('GET', `${quotesUrl}/${id}/pdf`)).status).toBe(200);
    service.feed.isAway = false;
  });

  it('is forgotten with the organization', async () => {
    const organizationId = randomUUID();
    service.feed.tell(organization(organizationId));
    expect((await newQuote(organizationId)).currency).toBe('EUR');
    service.feed.tell({ type: 'organization.deleted', organizationId });
    const member = await service.member({ organizationId });
    await vi.waitFor(async () => {
      const body = { customerId: randomUUID(), title: 'Roof' };
      expect((await member.send('POST', quotesUrl, { body })).status).toBe(503);
    }, patience());
  });
});
