import type {} from '@tenantry/jwt-verify/fastify';
import { Type, type TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import type { Service } from '@tenantry/service/http';
import { ConfigError, readConfig, settings } from '@tenantry/service/settings';
import { buildFixture } from './fixture.ts';

describe('default deny', () => {
  it('a route without a declared access does not boot, and the message names it [S-113]', async () => {
    const undeclared = (app: Service) => void app.get('/open', async () => 'x');
    await expect(buildFixture({}, undeclared)).rejects.toThrow(/GET \/open declares no access/);
  });

  it('a permission without a check for it does not boot', async () => {
    const guarded = (app: Service) => void app.get('/x', { config: { access: 'internal' } }, async () => 'x');
    await expect(buildFixture({}, guarded)).rejects.toThrow(/asks for 'internal'/);
  });

  it('the caller of a public route is unknown: its identity is null', async () => {
    const open = (app: Service) =>
      void app.get('/who', { config: { access: 'public' } }, async (request) => ({
        identity: request.identity,
      }));
    const { app } = await buildFixture({}, open);
    expect((await app.inject('/who')).json()).toEqual({ identity: null });
    await app.close();
  });

  it('the declared check runs before validation: 401, then 403, then 400', async () => {
    const { app } = await buildFixture();
    const headers = { authorization: 'Bearer x' };
    expect((await app.inject('/things/not-a-uuid')).statusCode).toBe(401);
    expect((await app.inject({ method: 'DELETE', url: '/things/not-a-uuid', headers })).statusCode).toBe(403);
    expect((await app.inject({ url: '/things/not-a-uuid', headers })).statusCode).toBe(400);
    await app.close();
  });
});

describe('a schema that lets anything pass that it does not describe', () => {
  const closed = { additionalProperties: false } as const;
  const Open = Type.Object({ a: Type.String() });
  const inside = (schema: TSchema) => Type.Object({ inner: schema }, closed);

  it.each([
    ['the whole body', Open, 'body lets unknown fields pass'],
    ['a field', inside(Open), 'body.inner lets unknown fields pass'],
    ['an item', inside(Type.Array(Open)), 'body.inner[] lets unknown fields pass'],
    ['an item of an item', inside(Type.Array(Type.Array(Open))), 'body.inner[][] lets unknown fields pass'],
    ['a tuple', inside(Type.Tuple([Type.String(), Open])), 'body.inner[] lets unknown fields pass'],
    ['a branch', inside(Type.Union([Open, Type.Null()])), 'body.inner lets unknown fields pass'],
    ['a record', inside(Type.Record(Type.String(), Type.String())), 'body.inner lets unknown fields pass'],
    ['any value', inside(Type.Unknown()), 'body.inner takes any value'],
    ['items of no type', inside(Type.Unsafe({ type: 'array' })), 'body.inner takes any items'],
  ])('does not boot: %s [S-136]', async (_case, body, place) => {
    const open = (app: Service) =>
      void app.post('/x', { config: { access: 'public' }, schema: { body } }, async () => 'x');
    await expect(buildFixture({}, open)).rejects.toThrow(`POST /x: ${place}`);
  });

  it.each(['querystring', 'params'] as const)('does not boot in %s either', async (part) => {
    const open = (app: Service) =>
      void app.get('/x/:a', { config: { access: 'public' }, schema: { [part]: Open } }, async () => 'x');
    await expect(buildFixture({}, open)).rejects.toThrow(`GET /x/:a: ${part} lets unknown fields pass`);
  });
});

describe('a rule without words', () => {
  it.each([
    ['a pattern', Type.String({ pattern: '^[0-9]{6}$' }), 'body.code has a pattern without words'],
    ['a format', Type.String({ format: 'time' }), 'body.code has the format time, which has no words'],
  ])('does not boot: %s', async (_case, code, problem) => {
    const body = Type.Object({ code }, { additionalProperties: false });
    const wordless = (app: Service) =>
      void app.post('/x', { config: { access: 'public' }, schema: { body } }, async () => 'x');
    await expect(buildFixture({}, wordless)).rejects.toThrow(problem);
  });
});

const Schema = Type.Object({
  ...settings.standardSettings,
  PORT: settings.port(3001),
  DATABASE_URL: settings.databaseUrl('PostgreSQL connection string'),
  AUTH_SECRET: settings.secret({ description: 'at least 32 characters' }),
  AUTH_URL: Type.String({
    format: 'uri',
    developmentDefault: 'http://127.0.0.1:8080',
    description: 'issuer',
  }),
});
const good = { DATABASE_URL: 'postgres://u:p@127.0.0.1/db', AUTH_SECRET: 'u8Jq0vT4nW2rY6zL1xC5bM9kD3fG7hSe' };

describe('configuration', () => {
  it('is typed, defaulted and frozen', () => {
    const config = readConfig('x', Schema, { ...good, PORT: '4000', TRUST_PROXY: '10.0.0.0/8, ::1' });
    expect(config).toMatchObject({
      PORT: 4000,
      TRUST_PROXY: ['10.0.0.0/8', '::1'],
      AUTH_URL: 'http://127.0.0.1:8080',
      HOST: '127.0.0.1',
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('reports every problem together and never a value [S-182]', () => {
    const read = () =>
      readConfig('x', Schema, {
        DATABASE_URL: 'mysql://u:hunter2@h/db',
        AUTH_SECRET: 'short',
        PORT: '0x10',
        NODE_ENV: 'production',
      });
    expect(read).toThrow(ConfigError);
    try {
      read();
    } catch (error) {
      const { problems, message } = error as ConfigError;
      expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual([
        'AUTH_SECRET',
        'AUTH_SECRET',
        'AUTH_URL',
        'DATABASE_URL',
        'PORT',
      ]);
      expect(message).not.toContain('hunter2');
      expect(message).not.toContain('short');
    }
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['short', 'u8Jq0vT4nW2rY6zL1xC5bM9kD3fG7hS'],
    ['a known default', 'please-change-me-please-change-me-please'],
    ['one repeated character', 'a'.repeat(40)],
  ])('a secret that is %s is refused [S-182]', (_case, AUTH_SECRET) => {
    expect(() => readConfig('x', Schema, { ...good, AUTH_SECRET })).toThrow(/AUTH_SECRET/);
  });

  it('a development default does not hold in production', () => {
    expect(() => readConfig('x', Schema, { ...good, NODE_ENV: 'production' })).toThrow(
      /AUTH_URL is required/,
    );
  });
});
