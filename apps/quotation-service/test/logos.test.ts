import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { logoBytesMax } from '@tenantry/contracts';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Tenant } from '../src/database.ts';
import { createFetchLogo, type FetchedLogo } from '../src/logos/fetch-logo.ts';
import type { Logo } from '../src/logos/logo.ts';
import type { LogosRepository } from '../src/logos/logos.repository.ts';
import { Logos } from '../src/logos/logos.ts';

const organizationId = '01990000-0000-7000-8000-000000000001';
const [expected, other] = ['a', 'b'].map((letter) => letter.repeat(64)) as [string, string];
const pictureOf = (digest: string): Logo => ({ digest, mediaType: 'image/png', content: new Uint8Array() });

/** What becomes of the logo that an organization's settings name, when auth-service is asked for it. */
async function fetched(
  found: FetchedLogo | Error,
  { attempts = 1, current = expected, isNamedAgain = false } = {},
) {
  const kept = { current: current as string | undefined, pictures: [] as string[], warnings: [] as object[] };
  const tenant = { transaction: async <Result>(work: (tx: object) => Result) => work({}) };
  const logos = new Logos({
    repository: {
      current: async () => (kept.current === undefined ? undefined : { digest: kept.current, version: '1' }),
      insert: async (_tx: object, { digest }: Logo) => void kept.pictures.push(digest),
      async dropCurrent() {
        if (!isNamedAgain) kept.current = undefined;
        return !isNamedAgain;
      },
    } as unknown as LogosRepository,
    async fetchLogo() {
      if (found instanceof Error) throw found;
      return found;
    },
    schedule: async () => undefined,
    logger: { warn: (fields: object) => void kept.warnings.push(fields) } as never,
  });
  const item = { organizationId, kind: 'logo', attempts, unfinished: 0 };
  const id = 'aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa';
  const context = { tenant: tenant as unknown as Tenant, signal: AbortSignal.timeout(60_000) };
  const outcome = await logos.fetch({ ...item, id }, context).catch(() => 'again');
  return { outcome, ...kept };
}

describe('a logo that is expected', () => {
  it('is kept when it is there', async () => {
    expect(await fetched(pictureOf(expected))).toMatchObject({ outcome: 'done', pictures: [expected] });
  });

  it.each(['none', 'unusable'] as const)('is never waited for where auth-service has %s', async (reason) => {
    expect(await fetched(reason)).toEqual({
      ...{ outcome: 'done', current: undefined, pictures: [] },
      warnings: [{ organizationId, reason }],
    });
  });

  it('is waited for while auth-service cannot say', async () => {
    for (const [attempts, outcome] of [
      [1, 'again'],
      [4, { againAfterSeconds: 60 }],
    ] as const)
      expect(await fetched(new Error('503'), { attempts })).toMatchObject({ outcome, current: expected });
  });

  it('is waited for some times while auth-service has another, whose event is on its way', async () => {
    expect(await fetched(pictureOf(other))).toMatchObject({ outcome: 'again', current: expected });
    expect(await fetched(pictureOf(other), { attempts: 3 })).toMatchObject({
      ...{ outcome: 'done', current: undefined, pictures: [] },
      warnings: [{ organizationId, reason: 'another' }],
    });
  });

  it('is asked for again where an event has named it again meanwhile', async () => {
    expect(await fetched('none', { isNamedAgain: true })).toMatchObject({
      ...{ outcome: { againAfterSeconds: 0 }, current: expected, warnings: [] },
    });
  });

  it('is not touched once its event names another', async () => {
    for (const found of ['none', pictureOf(expected)] as const)
      expect(await fetched(found, { current: other })).toMatchObject({ current: other, pictures: [] });
  });
});

describe('what auth-service answers for a logo', () => {
  it.each([
    ['a picture', 200, 'image/png', 10, { mediaType: 'image/png' }],
    ['none', 404, 'application/json', 10, 'none'],
    ['none any more', 410, 'application/json', 10, 'none'],
    ['something else', 200, 'image/svg+xml', 10, 'unusable'],
    ['a picture that is too large', 200, 'image/png', logoBytesMax + 1, 'unusable'],
    ['no answer', 503, 'application/json', 10, 'refused'],
    ['a refusal', 403, 'application/json', 10, 'refused'],
  ])('is told apart: %s', async (_, status, mediaType, bytes, expectedLogo) => {
    const server = createServer((_request, response) =>
      response.writeHead(status, { 'content-type': mediaType }).end(Buffer.alloc(bytes)),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const config = { AUTH_INTERNAL_URL: `http://127.0.0.1:${port}`, INTERNAL_API_KEY: ['key'] };
    const signal = AbortSignal.timeout(60_000);
    const found = await createFetchLogo(config)(organizationId, signal).catch(() => 'refused');
    if (typeof expectedLogo === 'string') expect(found).toBe(expectedLogo);
    else expect(found).toMatchObject(expectedLogo);
  });
});
