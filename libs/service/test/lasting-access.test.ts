import { Readable } from 'node:stream';
import { authenticate } from '@tenantry/jwt-verify';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';
import type { FastifyRequest } from 'fastify';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { endWithAccess } from '../src/server/lasting-access.ts';

const sid = 'session-1';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

async function letIn() {
  let now = Date.now();
  const issuer = await createTestIssuer({ clock: () => now });
  onTestFinished(() => issuer.close());
  const request = { method: 'GET', headers: { authorization: `Bearer ${await issuer.token({ sid })}` } };
  await authenticate(issuer.verifier(), request);
  return {
    request: request as unknown as FastifyRequest,
    endSession: () => issuer.revoke({ kind: 'session', sid, until: Math.floor(now / 1_000) + 900 }),
    expire: () => (now += 16 * 60_000),
  };
}

const newDownload = () => Readable.from(['id,name\n', '1,Ada\n']).on('error', () => undefined);

it('a download is broken off within a second of the end of its session, while nothing is read [S-142]', async () => {
  const { request, endSession } = await letIn();
  const download = await endWithAccess(request, newDownload());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(download.destroyed).toBe(false);
  endSession();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(download.errored).toMatchObject({ statusCode: 401, reason: 'TOKEN_REVOKED' });
  expect(vi.getTimerCount()).toBe(0);
});

it('a download does not begin whose session has ended while it waited for its turn [S-142]', async () => {
  const { request, endSession } = await letIn();
  endSession();
  const download = newDownload();
  await expect(endWithAccess(request, download)).rejects.toMatchObject({ statusCode: 401 });
  expect([download.destroyed, vi.getTimerCount()]).toEqual([true, 0]);
});

it('a download goes on when only the token expires', async () => {
  const { request, expire } = await letIn();
  const download = await endWithAccess(request, newDownload());
  expire();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(download.destroyed).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});
