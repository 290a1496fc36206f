import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  createQuote,
  customersUrl,
  invalid,
  notFound,
  quotesUrl,
  readQuote,
  refusal,
  sendQuote,
  startService,
  timestamp,
  type Caller,
  type TestService,
} from './support/service.ts';

/** Stands in for leads-service, as the network can make it: it answers, refuses, hangs or talks nonsense. */
let leads: Server;
const asked: { url: string; authorization: string }[] = [];
const [lead, hanging, nonsense, unknownYet] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
const known = new Set<string>([lead]);
/** The 300 ms that a quote waits for it: they are over once it has been asked for what hangs, and only then. */
let patience = new AbortController();
const timeout = AbortSignal.timeout.bind(AbortSignal);
const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
  if (ms !== 300) return timeout(ms);
  patience = new AbortController();
  return patience.signal;
});

let service: TestService;
let member: Caller;
beforeAll(async () => {
  leads = createServer(({ url = '', headers }, answer) => {
    asked.push({ url, authorization: headers.authorization ?? '' });
    if (url.endsWith(hanging)) {
      patience.abort();
      return;
    }
    if (url.endsWith(nonsense)) return void answer.end('{"data":{"name":5}}');
    answer.statusCode = known.has(url.split('/').at(-1) ?? '') ? 200 : 404;
    answer.end(JSON.stringify({ data: { name: 'Ada Lovelace', email: 'ada@example.com' } }));
  });
  await new Promise<void>((listening) => leads.listen(0, '127.0.0.1', listening));
  const { port } = leads.address() as AddressInfo;
  service = await startService({ env: { LEADS_URL: `http://127.0.0.1:${port}` } });
  member = await service.member();
});
afterAll(async () => {
  timeouts.mockRestore();
  await service.close();
  leads.closeAllConnections();
  await new Promise((closed) => leads.close(closed));
});

const sorted = (names: readonly string[]) => names.toSorted();
const fail = (): never => {
  throw new Error('there is no answer');
};
const urlOf = (id: string) => `/api/quotation/customers/${id}`;

describe('a customer', () => {
  it('is remembered by the quote that names it first', async () => {
    const customerId = randomUUID();
    await createQuote(member, {
      customerId,
      customerName: 'Åström AB',
      customerEmail: 'karin@astrom.example',
    });
    const answer = await member.send('GET', urlOf(customerId));
    expect(answer.body.data).toEqual({
      ...{ id: customerId, name: 'Åström AB', email: 'karin@astrom.example' },
      ...{ address: null, vatNumber: null, language: null, createdAt: timestamp, updatedAt: timestamp },
    });
    const again = await readQuote(member, await createQuote(member, { customerId }));
    expect(again).toMatchObject({ customerName: 'Åström AB', customerEmail: 'karin@astrom.example' });
  });

  it('that is renamed is so in drafts, and not in what was sent', async () => {
    const customerId = randomUUID();
    const [sent, draft] = [
      await createQuote(member, { customerId, customerName: 'Old' }),
      await createQuote(member, { customerId }),
    ];
    await sendQuote(member, sent);
    const answer = await member.send('PUT', urlOf(customerId), {
      body: { name: 'New', email: 'new@example.com' },
    });
    expect(answer.status).toBe(200);
    expect((await readQuote(member, sent)).customerName).toBe('Old');
    expect(await readQuote(member, draft)).toMatchObject({
      customerName: 'New',
      customerEmail: 'new@example.com',
    });
    await createQuote(member, { customerId, customerName: 'Newer' });
    expect((await readQuote(member, draft)).customerName).toBe('Newer');
  });

  it('gets a name with the quote that is given to them, in one change of one version', async () => {
    const id = await createQuote(member, { customerName: 'Old' });
    const url = `/api/quotation/quotes/${id}`;
    const { etag } = (await member.send('GET', url)).headers;
    const body = { customerId: randomUUID(), customerName: 'Acme AB' };
    const changed = await member.send('PATCH', url, { body, headers: { 'if-match': String(etag) } });
    expect(changed.status).toBe(200);
    expect(await readQuote(member, id)).toMatchObject(body);
    const next = { title: 'Roof, second floor' };
    const headers = { 'if-match': String(changed.headers['etag']) };
    expect((await member.send('PATCH', url, { body: next, headers })).status).toBe(200);
    const unknown = await member.send('PATCH', url, { body: { customerName: 'Somebody' } });
    expect(refusal(unknown)).toEqual(invalid('customerId'));
  });

  it('is changed on the version that was read', async () => {
    const customerId = randomUUID();
    await createQuote(member, { customerId, customerName: 'Old' });
    const { headers } = await member.send('GET', urlOf(customerId));
    const change = () =>
      member.send('PATCH', urlOf(customerId), {
        body: { name: randomUUID() },
        headers: { 'if-match': String(headers['etag']) },
      });
    expect([(await change()).status, (await change()).status]).toEqual([200, 412]);
  });

  it('is listed by name and searched', async () => {
    const caller = await service.member();
    for (const customerName of ['Bo', 'Åsa', 'Cecilia']) await createQuote(caller, { customerName });
    const names = async (query: string) => {
      const { body } = await caller.send('GET', `/api/quotation/customers?${query}`);
      return [
        body.meta.total,
        ...body.data.map((customer) => (customer as unknown as { name: string }).name),
      ];
    };
    expect(await names('')).toEqual([3, 'Åsa', 'Bo', 'Cecilia']);
    expect(await names('sort=-name&pageSize=2')).toEqual([3, 'Cecilia', 'Bo']);
    expect(await names('search=ASA')).toEqual([1, 'Åsa']);
    expect(await names('page=5')).toEqual([3]);
  });

  it('is listed by the alphabet of the reader, and so page by page', async () => {
    const caller = await service.member();
    const inSwedish = ['anna', 'Émile', 'Zoë', 'Åsa', 'Ærlig', 'Äpplet', 'ödla', 'Øre'];
    for (const name of inSwedish.toSorted()) {
      expect((await caller.send('POST', customersUrl, { body: { name } })).status).toBe(201);
    }
    const names = async (query: string) => {
      const { body } = await caller.send('GET', `${customersUrl}?pageSize=3&${query}`);
      return body.data.map((customer) => (customer as unknown as { name: string }).name);
    };
    const all = async (query: string) =>
      (await Promise.all([1, 2, 3].map((page) => names(`page=${page}&${query}`)))).flat();
    expect(sorted(await all('language=sv'))).toEqual(sorted(inSwedish));
    const places = (found: readonly string[]) => found.map((name) => name.slice(0, 1).toLowerCase());
    const alike = (letters: readonly string[]) =>
      letters.map((letter) => ({ æ: 'ä', ø: 'ö', é: 'e' })[letter] ?? letter);
    expect(alike(places(await all('language=sv')))).toEqual(['a', 'e', 'z', 'å', 'ä', 'ä', 'ö', 'ö']);
    expect((await all('language=sv&sort=-name')).toReversed()).toEqual(await all('language=sv'));
    expect(await all('language=en')).toEqual(await all(''));
    expect(places(await all('')).at(-1)).toBe('z');
    expect(await names('language=sv&search=e')).toEqual(['Émile', 'Zoë', 'Äpplet']);
    expect(await names('language=sv&page=9')).toEqual([]);
    expect(refusal(await caller.send('GET', `${customersUrl}?language=de`))).toEqual(invalid('language'));
  });

  it.each([
    ['Guðrún Þórðardóttir', ['gudrun', 'GUÐRÚN', 'thordar', 'þorð']],
    ['Νίκος Πέτρου', ['ΝΙΚΟΣ', 'νικοσ', 'Νίκος']],
    ['O’Brien\u00a0& Ek\u2011Ås', ["o'brien", 'o brien', 'brien  & ek', 'ek-as', 'EK–ÅS', 'ek as']],
    ['ＴＯＫＹＯ ｶﾞｲﾄﾞ', ['tokyo', 'ガイド', 'TOKYO\u3000ガ']],
    ['한국 건설', ['한국', '한국'.normalize('NFD')]],
  ])('is found, and its quotes, whatever the accents and letters: %s', async (customerName, searches) => {
    const caller = await service.member();
    await createQuote(caller, { customerName, title: 'Roof' });
    for (const search of searches) {
      const found = async (what: string) =>
        (await caller.send('GET', `/api/quotation/${what}?search=${encodeURIComponent(search)}`)).body.meta
          .total;
      expect([search, await found('customers'), await found('quotes')]).toEqual([search, 1, 1]);
    }
  });

  it('has an international address in one form, and is found by either', async () => {
    const caller = await service.member();
    const customerId = randomUUID();
    await createQuote(caller, { customerId, customerName: 'Max', customerEmail: 'max@müller-dach.example' });
    const email = 'max@xn--mller-dach-9db.example';
    expect((await caller.send('GET', urlOf(customerId))).body.data).toMatchObject({ email });
    for (const search of ['müller-dach', 'MULLER', 'max@müller-dach.example', email]) {
      const { body } = await caller.send(
        'GET',
        `/api/quotation/customers?search=${encodeURIComponent(search)}`,
      );
      expect(body.meta.total, search).toBe(1);
    }
  });

  it('is created with all that is known, once under an Idempotency-Key, and found by each of it', async () => {
    const caller = await service.member({ role: 'admin' });
    const given = {
      ...{ name: 'Åström Bygg AB', email: 'Karin@astrom.example', language: 'sv' },
      ...{ address: 'Storgatan 5\n415 02 Göteborg', vatNumber: 'se 556677-8899 01' },
    };
    const key = randomUUID();
    const create = () =>
      caller.send('POST', customersUrl, { body: given, headers: { 'idempotency-key': key } });
    const answers = [await create(), await create()];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const [{ body, headers } = fail()] = answers;
    const { id } = body.data;
    expect(answers[1]?.body.data).toEqual({ id });
    expect(headers).toMatchObject({ location: urlOf(id), etag: '"1"' });
    const read = await caller.send('GET', urlOf(id));
    expect(read.body.data).toMatchObject({ id, ...given, vatNumber: 'SE556677889901' });
    for (const search of ['astrom', 'KARIN@', '556677889901', 'goteborg', 'storgatan 5 415']) {
      const { meta } = (await caller.send('GET', `${customersUrl}?search=${encodeURIComponent(search)}`))
        .body;
      expect([search, meta.total]).toEqual([search, 1]);
    }
    const trail = await caller.send('GET', `/api/quotation/audit?targetId=${id}`);
    expect(trail.body.data).toMatchObject([{ action: 'customer.created', target: { name: given.name } }]);
  });

  it('is one whatever arrives at once under one key, and the same by its id in capitals', async () => {
    const caller = await service.member();
    const headers = { 'idempotency-key': randomUUID() };
    const create = () => caller.send('POST', customersUrl, { body: { name: 'Acme AB' }, headers });
    const answers = await Promise.all(Array.from({ length: 6 }, create));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const [id = '', ...others] = new Set(answers.map(({ body }) => body.data.id));
    expect(others).toEqual([]);
    const address = 'Storgatan 5\n415 02 Göteborg';
    const changed = await caller.send('PATCH', urlOf(id.toUpperCase()), { body: { address } });
    expect(changed.body.data).toMatchObject({ id, address });
    const quote = await createQuote(caller, { customerId: id.toUpperCase() });
    expect(await readQuote(caller, quote)).toMatchObject({ customerId: id, customerAddress: address });
    expect((await caller.send('GET', customersUrl)).body.meta.total).toBe(1);
  });

  it('of another organization can neither be read, changed nor erased', async () => {
    const theirs = await service.member({ role: 'admin' });
    const { id } = (await theirs.send('POST', customersUrl, { body: { name: 'Theirs' } })).body.data;
    const admin = await service.member({ role: 'admin' });
    const body = { vatNumber: 'DE136695976' };
    for (const answer of [
      await admin.send('GET', urlOf(id)),
      await admin.send('PATCH', urlOf(id), { body }),
      await admin.send('POST', `${urlOf(id)}/erase`),
    ]) {
      expect(refusal(answer)).toEqual(notFound);
    }
    expect((await theirs.send('GET', urlOf(id))).body.data).toMatchObject({
      name: 'Theirs',
      vatNumber: null,
    });
  });

  it('that others may already be names the earliest of these, by address or VAT number', async () => {
    const caller = await service.member();
    const create = async (body: object, by = caller) =>
      (await by.send('POST', customersUrl, { body: { name: 'Acme', ...body } })).body;
    const vatNumber = 'SE556677889901';
    const first = await create({ email: 'Ada@example.com' });
    const second = await create({ vatNumber });
    expect([first.meta, second.meta].map((meta) => 'duplicateOf' in meta)).toEqual([false, false]);
    expect(await create({ email: 'ADA@example.com', vatNumber })).toMatchObject({
      meta: { duplicateOf: first.data.id },
    });
    expect(await create({ vatNumber: 'SE 5566778899 01' })).toMatchObject({
      meta: { duplicateOf: second.data.id },
    });
    expect((await create({ vatNumber, email: 'ada@example.com' }, member)).meta).not.toHaveProperty(
      'duplicateOf',
    );
    const change = (body: object) => caller.send('PATCH', urlOf(second.data.id), { body });
    expect((await change({ email: 'ada@EXAMPLE.com' })).body.meta).toMatchObject({
      duplicateOf: first.data.id,
    });
    expect((await change({ name: 'Acme 2' })).body.meta).not.toHaveProperty('duplicateOf');
  });

  it('that is changed says so in the trail, from and to, and in drafts alone', async () => {
    const caller = await service.member({ role: 'admin' });
    const body = { name: 'Acme', address: 'Gamla vägen 1\n411 01 Göteborg' };
    const { id } = (await caller.send('POST', customersUrl, { body })).body.data;
    const [sent, draft] = [
      await createQuote(caller, { customerId: id }),
      await createQuote(caller, { customerId: id }),
    ];
    await sendQuote(caller, sent);
    const address = 'Nya vägen 2\n411 02 Göteborg';
    const changed = await caller.send('PATCH', urlOf(id), { body: { address, vatNumber: 'DE 136 695 976' } });
    expect(changed.body.data).toMatchObject({ name: 'Acme', address, vatNumber: 'DE136695976' });
    expect(await readQuote(caller, sent)).toMatchObject({
      customerAddress: body.address,
      customerVatNumber: null,
    });
    const now = { customerAddress: address, customerVatNumber: 'DE136695976' };
    expect(await readQuote(caller, draft)).toMatchObject(now);
    const revised = await caller.send('POST', `${quotesUrl}/${sent}/revise`, { body: {} });
    expect(await readQuote(caller, revised.body.data.id)).toMatchObject(now);
    const trail = await caller.send('GET', `/api/quotation/audit?action=customer.updated&targetId=${id}`);
    expect(trail.body.data).toMatchObject([{ details: { fields: ['address', 'vatNumber'] } }]);
    const cleared = await caller.send('PATCH', urlOf(id), { body: { address: null, vatNumber: null } });
    expect(cleared.body.data).toMatchObject({ address: null, vatNumber: null });
  });

  it.each([
    ['without a name', { email: 'a@example.com' }, ['name']],
    ['with an empty name', { name: ' ' }, ['name']],
    ['with no address', { name: 'A', email: 'karin' }, ['email']],
    ['with a VAT number that is none', { name: 'A', vatNumber: 'SE123' }, ['vatNumber']],
    ['with too long an address', { name: 'A', address: 'å'.repeat(401) }, ['address']],
    ['with an id', { name: 'A', id: randomUUID() }, ['id']],
  ])('is not created %s', async (_, body, fields) => {
    expect(refusal(await member.send('POST', customersUrl, { body }))).toEqual(invalid(...fields));
  });

  it('has texts of the greatest length, in any letters, and is found by its name', async () => {
    const body = {
      ...{ name: '\u{1F40D}'.repeat(200), address: '\u{1F98A}'.repeat(400), vatNumber: 'DE136695976' },
      email: `${'a'.repeat(64)}@${'ö'.repeat(40)}.${'ä'.repeat(40)}.example`,
    };
    const answer = await member.send('POST', customersUrl, { body });
    expect(answer.status).toBe(201);
    const search = encodeURIComponent('\u{1F40D}'.repeat(20));
    const { meta } = (await member.send('GET', `${customersUrl}?language=sv&search=${search}`)).body;
    expect(meta.total).toBe(1);
  });

  it('of another organization is another one, and not there', async () => {
    const customerId = randomUUID();
    await createQuote(await service.member(), { customerId, customerName: 'Theirs' });
    expect(refusal(await member.send('GET', urlOf(customerId)))).toEqual(notFound);
    const id = await createQuote(member, { customerId });
    expect((await readQuote(member, id)).customerName).toBe('');
  });

  it('without a name is named after the lead whose id it has, as the caller may see it', async () => {
    const caller = await service.member();
    const quote = await readQuote(caller, await createQuote(caller, { customerId: lead }));
    expect(quote).toMatchObject({ customerName: 'Ada Lovelace', customerEmail: 'ada@example.com' });
    expect(asked.at(-1)).toEqual({ url: `/api/leads/${lead}`, authorization: matchingBearer });
  });

  it('keeps the address that was given for it, and the name, whatever the lead has', async () => {
    const caller = await service.member();
    await createQuote(caller, { customerId: lead, customerEmail: 'given@astrom.example' });
    const quote = await readQuote(caller, await createQuote(caller, { customerId: lead }));
    expect(quote).toMatchObject({ customerName: 'Ada Lovelace', customerEmail: 'given@astrom.example' });
    const other = await service.member();
    await createQuote(other, { customerId: nonsense, customerEmail: 'given@astrom.example' });
    const renamed = { customerId: nonsense, customerName: 'Byggnads AB' };
    expect(await readQuote(other, await createQuote(other, renamed))).toMatchObject({
      ...{ customerName: 'Byggnads AB', customerEmail: 'given@astrom.example' },
    });
  });

  it('keeps an address that came before its name: what is missing is read from the lead', async () => {
    const caller = await service.member();
    await createQuote(caller, { customerId: unknownYet, customerEmail: 'given@astrom.example' });
    known.add(unknownYet);
    const quote = await readQuote(caller, await createQuote(caller, { customerId: unknownYet }));
    expect(quote).toMatchObject({ customerName: 'Ada Lovelace', customerEmail: 'given@astrom.example' });
  });

  it('is named by a change of its draft: on the version that was read, and told by the trail', async () => {
    const caller = await service.member({ role: 'admin' });
    const customerId = randomUUID();
    const id = await createQuote(caller, { customerId });
    known.add(customerId);
    const read = await caller.send('GET', `${quotesUrl}/${id}`);
    const { title, description, currency, vatRate, validUntil } = read.body.data;
    const change = { title, description, currency, vatRate, validUntil, customerId };
    const changed = await caller.send('PUT', `${quotesUrl}/${id}`, {
      body: change,
      headers: { 'if-match': String(read.headers['etag']) },
    });
    expect([changed.status, changed.body.data.customerName]).toEqual([200, 'Ada Lovelace']);
    const { headers, body } = await caller.send('GET', `${quotesUrl}/${id}`);
    expect(headers['etag']).toBe(changed.headers['etag']);
    expect(body.data).toMatchObject({ customerName: 'Ada Lovelace', customerEmail: 'ada@example.com' });
    const trail = await caller.send('GET', `/api/quotation/audit?action=quote.updated&targetId=${id}`);
    expect(trail.body.data).toMatchObject([{ details: { fields: ['customerName', 'customerEmail'] } }]);
  });

  it('is not asked about again by a request that was answered under its Idempotency-Key', async () => {
    const caller = await service.member();
    const headers = { 'idempotency-key': randomUUID() };
    const body = { customerId: randomUUID(), title: 'Roof' };
    const first = await caller.send('POST', quotesUrl, { body, headers });
    const before = asked.length;
    const again = await caller.send('POST', quotesUrl, {
      body: { title: body.title, customerId: body.customerId },
      headers,
    });
    expect([again.status, again.body.data.id]).toEqual([201, first.body.data.id]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(asked).toHaveLength(before);
  });

  it('is named so under an Idempotency-Key as well, whose transaction does not wait for leads-service [S-109]', async () => {
    const caller = await service.member();
    const { status, body } = await caller.send('POST', quotesUrl, {
      body: { customerId: lead, title: 'Roof' },
      headers: { 'idempotency-key': randomUUID() },
    });
    expect(status).toBe(201);
    expect((await readQuote(caller, body.data.id)).customerName).toBe('Ada Lovelace');
  });

  it.each([
    ['is away', hanging],
    ['talks nonsense', nonsense],
    ['knows no such lead', randomUUID()],
  ])('is accepted without a name where leads-service %s', async (_, customerId) => {
    const caller = await service.member();
    expect((await readQuote(caller, await createQuote(caller, { customerId }))).customerName).toBe('');
  });

  it.each([
    ['a blank name', { customerName: ' ' }, ['customerName']],
    ['no address', { customerEmail: 'karin' }, ['customerEmail']],
  ])('is refused with %s', async (_, named, fields) => {
    const body = { customerId: randomUUID(), title: 'Roof', ...named };
    expect(refusal(await member.send('POST', quotesUrl, { body }))).toEqual(invalid(...fields));
  });
});

const matchingBearer = expect.stringMatching(/^Bearer ey/) as unknown as string;
