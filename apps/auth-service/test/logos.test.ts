import { createHash, randomUUID } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { signUp } from './support/client.ts';
import { ask, foundCompany, type Company } from './support/organizations.ts';
import { startService } from './support/service.ts';

const service = await startService();
const { app, sql, config } = service;

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A PNG in gray, of as many pixels as are given, which may be other than it says. */
function png(
  width = 2,
  height = 2,
  { pixels = height * (width + 1), depth = 8, interlace = 0 } = {},
): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, depth, 0, 0, 0, interlace]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const data = deflateSync(Buffer.alloc(pixels));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** As much of a JPEG as gives its size: the frame, and the start of the scan. */
function jpeg(width = 40, height = 30): Buffer {
  const frame = Buffer.from('ffc0000b08000000000101110000', 'hex').subarray(0, 13);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([
    Buffer.from('ffd8ffe000044a46', 'hex'),
    frame,
    Buffer.from('ffda0004000000ffd9', 'hex'),
  ]);
}

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
  test('is the latest upload, for its members, and quotes get it too', async () => {
    const company = await foundCompany(service);
    const { id, admin, member } = company;
    expect((await get(id, member.token)).statusCode).toBe(404);
    for (const [content, mediaType] of [
      [png(), 'image/png'],
      [jpeg(), 'image/jpeg'],
    ] as const) {
      const answer = await put(id, admin.token, content, mediaType);
      expect([answer.statusCode, answer.json()]).toEqual([200, { logo: sha256(content) }]);
      const read = await get(id, member.token);
      expect([read.headers['content-type'], read.rawPayload.equals(content)]).toEqual([mediaType, true]);
      expect(read.headers['x-content-type-options']).toBe('nosniff');
      expect(await shown(company)).toBe(sha256(content));
    }
    const told = await sql(
      `SELECT payload ->> 'logo' AS logo FROM events WHERE organization = $1 AND type = 'organization.updated' ORDER BY id`,
      [id],
    );
    expect(told).toEqual([{ logo: sha256(png()) }, { logo: sha256(jpeg()) }]);
    const audit = await sql(
      `SELECT actor_user_id, details FROM audit_events WHERE organization_id = $1 AND action = 'organization.updated'
       ORDER BY id DESC LIMIT 1`,
      [id],
    );
    expect(audit).toEqual([{ actor_user_id: admin.id, details: { fields: ['logo'], logo: sha256(jpeg()) } }]);

    const removal = { method: 'DELETE', url: urlOf(id), headers: bearer(admin.token) } as const;
    expect((await app.inject(removal)).statusCode).toBe(204);
    expect((await app.inject(removal)).statusCode).toBe(204);
    expect([(await get(id, member.token)).statusCode, await shown(company)]).toEqual([404, null]);
  });

  test('goes with the organization', async () => {
    const { id, owner } = await foundCompany(service);
    await put(id, owner.token, png());
    expect((await ask(service, `DELETE /organization/${id}`, owner)).status).toBe(200);
    expect(await sql('SELECT FROM organization_logos WHERE organization_id = $1', [id])).toEqual([]);
  });

  test('is set and removed by owners and admins alone, and seen by no stranger', async () => {
    const { id, owner, member } = await foundCompany(service);
    const stranger = await signUp(app);
    await put(id, owner.token, png());
    expect((await put(id, member.token, png())).statusCode).toBe(403);
    expect((await put(id, stranger.token, png())).statusCode).toBe(404);
    expect((await get(id, stranger.token)).statusCode).toBe(404);
    const remove = (token: string) =>
      app.inject({ method: 'DELETE', url: urlOf(id), headers: bearer(token) });
    expect((await remove(member.token)).statusCode).toBe(403);
    expect((await remove(stranger.token)).statusCode).toBe(404);
    expect((await app.inject({ url: urlOf(id) })).statusCode).toBe(401);
  });

  test('is returned to services with the key, for any organization', async () => {
    const { id, owner } = await foundCompany(service);
    await put(id, owner.token, png());
    const ofPeers = (organizationId: string, key = config.INTERNAL_API_KEY[0] ?? '') =>
      app.inject({ url: `/internal/organizations/${organizationId}/logo`, headers: bearer(key) });
    const told = await ofPeers(id);
    expect([told.statusCode, told.rawPayload.equals(png())]).toEqual([200, true]);
    expect((await ofPeers(randomUUID())).statusCode).toBe(404);
    expect((await ofPeers(id, owner.token)).statusCode).toBe(401);
  });

  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'must be a PNG or a JPEG'],
    ['nothing', Buffer.alloc(0), 'must be a PNG or a JPEG'],
    ['a PNG that is cut short', png().subarray(0, -6), 'is a PNG that is not whole'],
    [
      'a PNG with a bit that fell over',
      Buffer.from(png().map((byte, n) => (n === 20 ? byte ^ 1 : byte))),
      'not whole',
    ],
    ['a PNG of fewer pixels than it says', png(200, 200, { pixels: 10 }), 'not whole'],
    ['a PNG that inflates to more than its pixels', png(2, 2, { pixels: 50_000_000 }), 'not whole'],
    ['a PNG that is too wide', png(1_201, 1), 'is 1201 by 1 pixels'],
    ['a PNG of 16 bits', png(1, 1, { depth: 16, pixels: 3 }), 'save it with 8 bits'],
    ['a PNG that is interlaced', png(1, 1, { interlace: 1 }), 'not interlaced'],
    ['a JPEG that is too high', jpeg(10, 1_201), 'is 10 by 1201 pixels'],
    ['a JPEG without a frame', Buffer.from('ffd8ffe000044a46ffd9', 'hex'), 'is a JPEG that is not whole'],
    ['a JPEG that ends in its frame', jpeg().subarray(0, 14), 'is a JPEG that is not whole'],
  ])('is not %s', async (_what, content, message) => {
    const company = await foundCompany(service);
    const answer = await put(company.id, company.owner.token, content);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'body', rule: 'image', message: expect.stringContaining(message) as string }],
    });
    expect(await shown(company)).toBeNull();
  });

  test('is at most 256 KiB, and of no other media type', async () => {
    const { id, owner } = await foundCompany(service);
    const large = Buffer.concat([png(), Buffer.alloc(256 * 1024)]);
    expect((await put(id, owner.token, large)).statusCode).toBe(413);
    for (const mediaType of ['image/svg+xml', 'application/json', 'image/gif']) {
      expect((await put(id, owner.token, png(), mediaType)).statusCode).toBe(415);
    }
  });
});
