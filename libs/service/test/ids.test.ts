import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '@tenantry/service/http';
import { ClosedObject, Nullable, Uuid } from '@tenantry/service/resources';
import { checkBy } from '@tenantry/service/validation';
import { buildFixture } from './fixture.ts';

const id = '0b9f7c1e-5b1a-4c5e-9d57-0d3f3c2b1a0f';
const capitals = id.toUpperCase();

let app: Service;
beforeAll(async () => {
  const body = ClosedObject({
    id: Uuid(),
    parent: Nullable(Uuid()),
    other: Type.Union([Type.Null(), Uuid()]),
    ids: Type.Array(Uuid()),
    lines: Type.Array(ClosedObject({ id: Uuid(), note: Type.String() })),
  });
  const headers = Type.Object({ 'x-means': Type.Optional(Uuid()) });
  const querystring = ClosedObject({ owner: Type.Optional(Uuid()) });
  ({ app } = await buildFixture({}, (service) => {
    service.post(
      '/rows/:rowId',
      {
        config: { access: 'public' },
        schema: { params: ClosedObject({ rowId: Uuid() }), querystring, headers, body },
      },
      async ({ params, query, body: read, headers: { 'x-means': means } }) => ({
        params,
        query,
        read,
        means,
      }),
    );
  }));
});
afterAll(() => app.close());

const bodyOf = (each: string) => ({
  id: each,
  parent: each,
  other: each,
  ids: [id, each],
  lines: [{ id: each, note: each }],
});

async function send(each: string) {
  const response = await app.inject({
    method: 'POST',
    url: `/rows/${each}?owner=${each}`,
    headers: { 'x-means': each },
    payload: bodyOf(each),
  });
  return { status: response.statusCode, body: response.json<object>() };
}

describe('an id', () => {
  it('in capitals is the id in small letters: in path, query, headers and everywhere in a body [S-137]', async () => {
    const read = { ...bodyOf(id), lines: [{ id, note: capitals }] };
    const expected = { params: { rowId: id }, query: { owner: id }, read, means: id };
    expect(await send(capitals)).toEqual({ status: 200, body: expected });
    expect(await send(`${capitals.slice(0, 12)}${id.slice(12)}`)).toMatchObject({
      body: { params: { rowId: id } },
    });
  });

  it.each([`{${id}}`, `urn:uuid:${id}`, id.replaceAll('-', ''), ` ${id}`, `${id}\n`, id.replace('f', 'ｆ')])(
    'is not %j [S-137]',
    async (text) => {
      const { status } = await send(encodeURIComponent(text));
      expect(status).toBe(400);
      const { statusCode } = await app.inject({ method: 'POST', url: `/rows/${id}`, payload: bodyOf(text) });
      expect(statusCode).toBe(400);
    },
  );

  it('is read in the rows of a file too', () => {
    const row = { id: capitals };
    expect(checkBy(ClosedObject({ id: Uuid() }), 'row')(row)).toEqual([]);
    expect(row).toEqual({ id });
  });
});
