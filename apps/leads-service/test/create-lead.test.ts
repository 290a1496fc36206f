import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createLead,
  invalid,
  refusal,
  startService,
  type Caller,
  type TestService,
  matching,
  timestamp,
} from './support/service.ts';

let service: TestService;
let member: Caller;
beforeAll(async () => {
  service = await startService();
  member = await service.member();
});
afterAll(() => service.close());

const post = (body: unknown, caller = member) => caller.send('POST', '/api/leads', { body });
const stored = async (id: string) => (await member.send('GET', `/api/leads/${id}`)).body.data;
const minimal = { name: 'Ada Lovelace', email: 'ada@example.com' };

describe('POST /api/leads', () => {
  it('answers 201 with the id alone, where the lead is, and its first version', async () => {
    const answer = await post({ ...minimal, email: 'first@example.com' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: { id: matching(/^[0-9a-f-]{36}$/) },
      error: null,
      meta: { timestamp, requestId: answer.headers['x-request-id'] },
    });
    expect(answer.headers['location']).toBe(`/api/leads/${answer.body.data.id}`);
    expect(answer.headers['etag']).toBe('"1"');
  });

  it('keeps every field, and begins as new', async () => {
    const lead = { ...minimal, phone: '+46 70 123 45 67', source: 'website', notes: 'Line one\nLine two' };
    expect(await stored(await createLead(member, lead))).toMatchObject({ ...lead, status: 'new' });
  });

  it('takes null for an optional field as absent', async () => {
    const id = await createLead(member, { phone: null, source: null, notes: null });
    expect(await stored(id)).toMatchObject({ phone: null, source: null, notes: null });
  });

  it('keeps text without blanks around it and composed (NFC)', async () => {
    const id = await createLead(member, {
      name: '  A\u030Asa  ',
      email: ' asa@example.com ',
      phone: '\t123\n',
    });
    expect(await stored(id)).toMatchObject({ name: 'Åsa', email: 'asa@example.com', phone: '123' });
  });

  it('keeps an international domain as A-labels, whichever way it is written', async () => {
    const [first, second] = ['max@müller-dach.example', 'Max@XN--MLLER-DACH-9DB.example'];
    const id = await createLead(member, { email: first });
    expect(await stored(id)).toMatchObject({ email: 'max@xn--mller-dach-9db.example' });
    expect((await post({ ...minimal, email: second })).body.meta).toMatchObject({ duplicateOf: id });
    for (const search of [
      'müller-dach',
      'MULLER dach',
      'max@müller-dach.example',
      'xn--mller-dach',
      first,
      second,
    ]) {
      const found = await member.send('GET', `/api/leads?search=${encodeURIComponent(search)}`);
      expect(found.body.meta.total, search).toBe(2);
    }
    const file = await member.send('GET', `/api/leads/export?search=${encodeURIComponent('müller-dach')}`);
    expect(file.text).toContain('max@müller-dach.example');
    expect(file.text).toContain('Max@müller-dach.example');
  });

  it.each(['mäx@example.com', '\u212Aim@müller.example', 'ｍax@example.com'])(
    'says that %s has other letters than ASCII before the @',
    async (email) => {
      expect(refusal(await post({ ...minimal, email }))).toMatchObject({ status: 400, fields: ['email'] });
      expect((await post({ ...minimal, email })).body.error.details[0]).toMatchObject({ rule: 'localPart' });
    },
  );

  it('counts limits in characters, not in bytes or UTF-16 units', async () => {
    const lead = {
      name: '🦊'.repeat(100),
      phone: 'é'.repeat(20),
      source: '界'.repeat(50),
      notes: '🦊'.repeat(2000),
    };
    expect(await stored(await createLead(member, lead))).toMatchObject(lead);
    // What is kept counts, not what was typed.
    await createLead(member, { name: ` ${'A\u030A'.repeat(100)} ` });
  });

  it('names an earlier live lead with the same e-mail address in meta, deleted ones never', async () => {
    const first = await createLead(member, { email: 'Twin@example.com' });
    const second = await post({ ...minimal, email: 'twin@EXAMPLE.com' });
    expect(second.status).toBe(201);
    expect(second.body.meta.duplicateOf).toBe(first);

    await member.send('DELETE', `/api/leads/${first}`);
    await member.send('DELETE', `/api/leads/${second.body.data.id}`);
    expect((await post({ ...minimal, email: 'twin@example.com' })).body.meta).not.toHaveProperty(
      'duplicateOf',
    );

    const stranger = await service.member();
    const foreign = await post({ ...minimal, email: 'twin@example.com' }, stranger);
    expect(foreign.body.meta).not.toHaveProperty('duplicateOf');
  });

  it.each([
    ['nothing', {}, ['name', 'email']],
    ['no name', { email: 'a@example.com' }, ['name']],
    ['a blank name', { ...minimal, name: ' \t\u00a0 ' }, ['name']],
    ['a null name', { ...minimal, name: null }, ['name']],
    ['a name that is no text', { ...minimal, name: 5 }, ['name']],
    ['a list for a name', { ...minimal, name: ['Ada'] }, ['name']],
    ['a name of 101 characters', { ...minimal, name: 'a'.repeat(101) }, ['name']],
    ['a name with NUL', { ...minimal, name: 'A\0' }, ['name']],
    ['a name with a control character', { ...minimal, name: 'A\u0007' }, ['name']],
    ['a name of two lines', { ...minimal, name: 'A\nB' }, ['name']],
    ['notes with a control character', { ...minimal, notes: 'A\u001b[2J' }, ['notes']],
    ['a name with a lone surrogate', { ...minimal, name: 'A\ud800' }, ['name']],
    ['a blank phone', { ...minimal, phone: ' ' }, ['phone']],
    ['a phone of 21 characters', { ...minimal, phone: '1'.repeat(21) }, ['phone']],
    ['a phone that is a number', { ...minimal, phone: 123 }, ['phone']],
    ['a source of 51 characters', { ...minimal, source: 's'.repeat(51) }, ['source']],
    ['notes of 2001 characters', { ...minimal, notes: 'n'.repeat(2001) }, ['notes']],
    ['an unknown field', { ...minimal, budget: 5 }, ['budget']],
    ['a status', { ...minimal, status: 'won' }, ['status']],
    [
      'an organization',
      { ...minimal, organizationId: '00000000-0000-4000-8000-000000000000' },
      ['organizationId'],
    ],
    ['several at once', { name: '', phone: true, x: 1 }, ['email', 'x', 'name', 'phone']],
  ])('refuses %s, naming the field [S-104]', async (_, body, fields) => {
    const answer = refusal(await post(body));
    expect({ ...answer, fields: answer.fields.toSorted() }).toEqual(invalid(...fields.toSorted()));
  });

  it.each([
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'a b@example.com',
    'ada@exa mple.com',
    'ada@@example.com',
    'ada@example..com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(63)}.com`,
    '',
    'ada@example.com, bob@example.com',
    'Ada <ada@example.com>',
    'ada@example.com\nbcc: bob@example.com',
  ])('refuses %j as an e-mail address', async (email) => {
    expect(refusal(await post({ ...minimal, email }))).toEqual(invalid('email'));
  });

  it('answers a hostile e-mail address in linear time [S-151]', async () => {
    const email = `${'a.'.repeat(15_000)}@`;
    const before = process.cpuUsage();
    expect((await post({ ...minimal, email })).status).toBe(400);
    const { user, system } = process.cpuUsage(before);
    expect(user + system).toBeLessThan(500_000);
  });

  it.each([
    ['no object', [minimal], 400],
    ['a text', '"lead"', 400],
    ['null', 'null', 400],
    ['broken JSON', '{"name":', 400],
    ['a poisoned prototype', '{"__proto__":{"x":1},"name":"A","email":"a@example.com"}', 400],
    ['64 KiB and more', JSON.stringify({ ...minimal, notes: 'n'.repeat(70_000) }), 413],
  ])('refuses %s as a body', async (_, body, status) => {
    const answer = await member.send('POST', '/api/leads', {
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ data: null, error: { code: matching(/^[A-Z_]+$/) } });
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
  ])('refuses %s with 415', async (type) => {
    const answer = await member.send('POST', '/api/leads', {
      body: JSON.stringify(minimal),
      headers: { 'content-type': type },
    });
    expect(refusal(answer)).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
  });

  it.each([
    ['right-to-left marks', 'שלום \u200f\u202eevil'],
    ['four-byte characters', '𠜎𠜱 🦊👩‍👩‍👧'],
    ['combining marks', 'Z\u0351\u036b\u0343a\u0335lgo'],
    ['quotes and SQL', `Robert'); DROP TABLE leads;-- "\\`],
    ['markup', '<script>alert(1)</script>'],
  ])('stores %s faithfully', async (_, name) => {
    expect((await stored(await createLead(member, { name }))).name).toBe(name.normalize('NFC'));
  });
});
