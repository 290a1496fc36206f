import type { Failure } from '@tenantry/envelope';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptStreamOnly, readPieces, type Service } from '@tenantry/service/http';
import { textOf } from '@tenantry/service/validation';
import { LineOf } from '@tenantry/service/resources';
import { checkBy } from '@tenantry/service/validation';
import { buildFixture } from './fixture.ts';

let app: Service;
beforeAll(async () => {
  ({ app } = await buildFixture({}, (fixture) => {
    const config = { access: 'public' as const };
    void fixture.register(async (scope) => {
      acceptStreamOnly(scope, 'text/csv');
      scope.post('/files', { config: { ...config, streams: 'text/csv' } }, async (request) => {
        let length = 0;
        for await (const text of textOf(readPieces(request, { bytesMax: 200_000 }))) length += text.length;
        return { length };
      });
    });
    fixture.post('/things', { config }, async () => ({}));
  }));
});
afterAll(() => app.close());

const post = (url: string, payload: string | Buffer, type: string) =>
  app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });

describe('a body that its handler reads as it arrives', () => {
  it('may be larger than one that is parsed', async () => {
    expect((await post('/files', 'å'.repeat(70_000), 'text/csv; charset=utf-8')).json()).toEqual({
      length: 70_000,
    });
  });

  it('is 413 beyond its own limit [S-147]', async () => {
    expect((await post('/files', 'x'.repeat(200_001), 'text/csv')).statusCode).toBe(413);
  });

  it('is 400 where it is not UTF-8, also where it ends within a character', async () => {
    for (const bytes of [
      [0x61, 0xff],
      [0x61, 0xc3],
    ]) {
      const answer = await post('/files', Buffer.from(bytes), 'text/csv');
      expect(answer.statusCode).toBe(400);
      expect(answer.json<Failure>().error.details).toMatchObject([{ field: 'body', rule: 'wellFormed' }]);
    }
  });

  it.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x'])(
    'is 415 as %s',
    async (type) => {
      const answer = await post('/files', '{}', type);
      expect(answer.statusCode).toBe(415);
      expect(answer.json<Failure>().error.message).toBe('Send the body as text/csv.');
    },
  );

  it('is for its own scope alone', async () => {
    expect((await post('/things', 'a,b', 'text/csv')).statusCode).toBe(415);
  });
});

describe('a check outside of a request', () => {
  const check = checkBy(Type.Object({ name: LineOf(5) }, { additionalProperties: false }), 'row');

  it('tidies what is good, and says what is not', () => {
    const row = { name: ' A\u030Asa ' };
    expect(check(row)).toEqual([]);
    expect(row).toEqual({ name: 'Åsa' });
    expect(check({ name: 'too long' })).toMatchObject([{ field: 'name', rule: 'maxLength' }]);
    expect(check({ name: 'a', other: 1 })).toMatchObject([{ field: 'other', rule: 'additionalProperties' }]);
    expect(check([])).toMatchObject([{ field: 'row', rule: 'type' }]);
  });
});
