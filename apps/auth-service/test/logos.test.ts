import { createHash, randomUUID } from 'node:crypto';
import type { Asking } from '@tenantry/fair-shares';
import { describe, expect, test } from 'vitest';
import { LogoPictures } from '../src/organizations/logos/logo-pictures.ts';
import { signUp } from './support/client.ts';
import { ask, foundCompany, type Company } from './support/organizations.ts';
import { startService } from './support/service.ts';

const service = await startService();
const { app, sql, config } = service;

/** One pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
);
/** 24 by 8 pixels, and on its side by EXIF. */
const jpeg = Buffer.from(
  [
    '/9j/4QAiRXhpZgAASUkqAAgAAAABABIBAwABAAAABgAAAAAAAAD/2wBDAA0NDQ0ODQ4QEA4UFhMWFB4bGRkbHi0gIi',
    'AiIC1EKjIqKjIqRDxJOzc7STxsVUtLVWx9aWNpfZeHh5e+tb75+f//2wBDAQ0NDQ0ODQ4QEA4UFhMWFB4bGRkbHi0g',
    'IiAiIC1EKjIqKjIqRDxJOzc7STxsVUtLVWx9aWNpfZeHh5e+tb75+f//wgARCAAIABgDASIAAhEBAxEB/8QAFQABAQ',
    'AAAAAAAAAAAAAAAAAAAAb/xAAUAQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIQAxAAAACsAB//xAAUEAEAAAAAAAAA',
    'AAAAAAAAAAAQ/9oACAEBAAE/AH//xAAUEQEAAAAAAAAAAAAAAAAAAAAQ/9oACAECAQE/AD//xAAUEQEAAAAAAAAAAA',
    'AAAAAAAAAQ/9oACAEDAQE/AD//2Q==',
  ].join(''),
  'base64',
);

const urlOf = (id: string) => `/api/auth/organization/${id}/logo`;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const put = (id: string, token: string, payload: Buffer | string, mediaType = 'image/png') =>
  app.inject({
    method: 'PUT',
    url: urlOf(id),
    headers: { ...bearer(token), 'content-type': mediaType },
    payload,
  });
const get = (id: string, token: string) => app.inject({ url: urlOf(id), headers: bearer(token) });
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
const shown = async ({ id, owner }: Company) =>
  (await ask<{ organization: { logo: string | null } }>(service, `GET /organization/${id}`, owner)).body
    .organization.logo;

describe('the logo of an organization', () => {
  test('is the latest upload as documents show it, for its members, and quotes get it too', async () => {
    const company = await foundCompany(service);
    const { id, admin, member } = company;
    expect((await get(id, member.token)).statusCode).toBe(404);
    const kept: string[] = [];
    for (const [content, mediaType] of [
      [png, 'image/png'],
      [jpeg, 'image/jpeg'],
    ] as const) {
      const answer = await put(id, admin.token, content, mediaType);
      const read = await get(id, member.token);
      const logo = sha256(read.rawPayload);
      expect([answer.statusCode, answer.json()]).toEqual([200, { logo }]);
      expect(read.headers).toMatchObject({ 'content-type': mediaType, 'x-content-type-options': 'nosniff' });
      expect(await shown(company)).toBe(logo);
      kept.push(logo);
    }
    const told = await sql(
      `SELECT payload ->> 'logo' AS logo FROM events WHERE organization = $1 AND type = 'organization.updated' ORDER BY id`,
      [id],
    );
    expect(told).toEqual(kept.map((logo) => ({ logo })));
    const audit = await sql(
      `SELECT actor_user_id, details FROM audit_events WHERE organization_id = $1 AND action = 'organization.updated'
       ORDER BY id DESC LIMIT 1`,
      [id],
    );
    expect(audit).toEqual([{ actor_user_id: admin.id, details: { fields: ['logo'], logo: kept[1] } }]);

    const removal = { method: 'DELETE', url: urlOf(id), headers: bearer(admin.token) } as const;
    expect((await app.inject(removal)).statusCode).toBe(204);
    expect((await app.inject(removal)).statusCode).toBe(204);
    expect([(await get(id, member.token)).statusCode, await shown(company)]).toEqual([404, null]);
  });

  test('is the same however often the same file is uploaded, and upright', async () => {
    const { id, owner } = await foundCompany(service);
    const first = (await put(id, owner.token, jpeg, 'image/jpeg')).json<{ logo: string }>();
    expect((await put(id, owner.token, jpeg, 'image/jpeg')).json()).toEqual(first);
    const content = (await get(id, owner.token)).rawPayload;
    const frame = content.indexOf(Buffer.from('ffc00011', 'hex'));
    expect([content.readUInt16BE(frame + 7), content.readUInt16BE(frame + 5)]).toEqual([8, 24]);
  });

  test('goes with the organization', async () => {
    const { id, owner } = await foundCompany(service);
    await put(id, owner.token, png);
    expect((await ask(service, `DELETE /organization/${id}`, owner)).status).toBe(200);
    expect(await sql('SELECT FROM organization_logos WHERE organization_id = $1', [id])).toEqual([]);
  });

  test('is set and removed by owners and admins alone, and seen by no stranger', async () => {
    const { id, owner, member } = await foundCompany(service);
    const stranger = await signUp(app);
    await put(id, owner.token, png);
    expect((await put(id, member.token, png)).statusCode).toBe(403);
    expect((await put(id, stranger.token, png)).statusCode).toBe(404);
    expect((await get(id, stranger.token)).statusCode).toBe(404);
    const remove = (token: string) =>
      app.inject({ method: 'DELETE', url: urlOf(id), headers: bearer(token) });
    expect((await remove(member.token)).statusCode).toBe(403);
    expect((await remove(stranger.token)).statusCode).toBe(404);
    expect((await app.inject({ url: urlOf(id) })).statusCode).toBe(401);
  });

  test('is returned to services with the key, for any organization', async () => {
    const { id, owner } = await foundCompany(service);
    await put(id, owner.token, png);
    const ofPeers = (organizationId: string, key = config.INTERNAL_API_KEY[0] ?? '') =>
      app.inject({ url: `/internal/organizations/${organizationId}/logo`, headers: bearer(key) });
    const told = await ofPeers(id);
    expect([told.statusCode, told.rawPayload]).toEqual([200, (await get(id, owner.token)).rawPayload]);
    expect((await ofPeers(randomUUID())).statusCode).toBe(404);
    expect((await ofPeers(id, owner.token)).statusCode).toBe(401);
  });

  test.each([
    [
      'an SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      'is an SVG, which can contain scripts',
    ],
    ['nothing', Buffer.alloc(0), 'must be a PNG, a JPEG or a WebP'],
    ['a PNG that is cut short', png.subarray(0, -6), 'is a PNG that is not whole'],
    ['a PNG of other pixels than it says', Buffer.from(png).fill(9, 16, 24), 'is a PNG that is not whole'],
    ['a JPEG that is cut short', jpeg.subarray(0, -20), 'is a JPEG that is not whole'],
  ])('is not %s [S-202]', async (_what, content, message) => {
    const company = await foundCompany(service);
    const answer = await put(company.id, company.owner.token, content);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'body', rule: 'image', message: expect.stringContaining(message) as string }],
    });
    expect(await shown(company)).toBeNull();
  });

  test('is at most 256 KiB, and of no other media type [S-202]', async () => {
    const { id, owner } = await foundCompany(service);
    const large = Buffer.concat([png, Buffer.alloc(256 * 1024)]);
    expect((await put(id, owner.token, large)).statusCode).toBe(413);
    for (const mediaType of ['image/svg+xml', 'application/json', 'image/gif']) {
      expect((await put(id, owner.token, png, mediaType)).statusCode).toBe(415);
    }
  });
});

describe('uploaded logos', () => {
  test.each<[string, (n: number) => Asking]>([
    ['one organization', (n) => ({ organizationId: 'free', userId: `u${n}`, address: `198.51.100.${n}` })],
    ['one address', (n) => ({ organizationId: `o${n}`, userId: `u${n}`, address: '198.51.100.1' })],
  ])('of a stranger are decoded next under a flood of %s', async (_who, flooding) => {
    const pictures = new LogoPictures();
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    let endAll = (): void => undefined;
    const allEnd = new Promise<void>((resolve) => (endAll = resolve));
    const upload = (asking: Asking) =>
      pictures.run(asking, () => {
        begun.push(asking.organizationId ?? '');
        return Promise.race([allEnd, new Promise<void>((resolve) => ends.push(resolve))]);
      });
    const flood = Array.from({ length: 60 }, (_, n) => upload(flooding(n)).catch(() => 'refused'));
    const stranger = upload({ organizationId: 'stranger', userId: 'u', address: '192.0.2.1' });
    while (!begun.includes('stranger')) {
      expect(begun.length).toBeLessThan(5);
      for (const end of ends.splice(0)) end();
      await new Promise((resolve) => setImmediate(resolve));
    }
    endAll();
    await stranger;
    expect(await Promise.all(flood)).toContain('refused');
  });
});
