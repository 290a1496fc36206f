import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startTestPostgres } from '@tenantry/test-kit';
import { connected } from '@tenantry/dev-database';

const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.includes(name)));
const own = without('TEST_DATABASE_ADMIN_URL', 'TEST_INFRA');
const version = (url: string) =>
  connected(url, async (client) => {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
    return rows[0]?.server_version ?? '';
  });

describe('startTestPostgres', () => {
  it('uses the running server it is given, and leaves it running', async () => {
    const server = await startTestPostgres({ ...own, TEST_INFRA: 'embedded' });
    const shared = await startTestPostgres({ ...own, TEST_DATABASE_ADMIN_URL: server.adminUrl });
    expect(shared).toMatchObject({ adminUrl: server.adminUrl, kind: 'shared' });
    await shared.stop();
    expect(await version(server.adminUrl)).toMatch(/^18\./);
    await server.stop();
    await expect(version(server.adminUrl)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('finds PostgreSQL 18 on a machine as it is', async () => {
    const server = await startTestPostgres(own);
    expect(['container', 'embedded']).toContain(server.kind);
    expect(await version(server.adminUrl)).toMatch(/^18\./);
    await server.stop();
  });

  it('refuses an infrastructure it does not know', async () => {
    await expect(startTestPostgres({ ...own, TEST_INFRA: 'cloud' })).rejects.toThrow(
      'use containers or embedded',
    );
  });

  it('does not wait for an image that the Docker engine would have to pull, and says so', async () => {
    const asked: string[] = [];
    const engine = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      const isImage = /\/images\//.test(request.url ?? '');
      response.writeHead(isImage ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isImage ? { message: 'No such image: postgres:18' } : {}));
    }).listen(0, '127.0.0.1');
    await once(engine, 'listening');
    const DOCKER_HOST = `tcp://127.0.0.1:${(engine.address() as AddressInfo).port}`;
    const script = `import { startTestPostgres } from '@tenantry/test-kit';
      const { kind, stop } = await startTestPostgres(); console.log(kind); await stop();`;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--conditions=@tenantry/source', '--input-type=module', '-e', script],
      { env: { ...own, DOCKER_HOST }, cwd: import.meta.dirname },
    );
    engine.close();
    expect(stdout.trim()).toBe('embedded');
    expect(stderr).toContain(
      'The Docker engine has no image postgres:18 yet: the PostgreSQL of npm is used.',
    );
    expect(asked.filter((line) => line.startsWith('POST'))).toEqual([]);
    expect(asked.some((line) => line.includes('/images/postgres:18/json'))).toBe(true);
  });

  describe.skipIf(existsSync('/var/run/docker.sock') || process.env['DOCKER_HOST'])(
    'without a Docker engine',
    () => {
      afterEach(() => void vi.unstubAllEnvs());

      it('falls back to the embedded server when nothing answers behind DOCKER_HOST', async () => {
        vi.stubEnv('DOCKER_HOST', 'tcp://127.0.0.1:9');
        const server = await startTestPostgres({ ...own, DOCKER_HOST: 'tcp://127.0.0.1:9' });
        expect(server.kind).toBe('embedded');
        await server.stop();
      });

      it('fails when containers are forced', async () => {
        await expect(startTestPostgres({ ...own, TEST_INFRA: 'containers' })).rejects.toThrow(
          /container runtime/,
        );
      });
    },
  );

  it.runIf(existsSync('/var/run/docker.sock'))('runs a container where there is an engine', async () => {
    const server = await startTestPostgres({ ...own, TEST_INFRA: 'containers' });
    expect(server.kind).toBe('container');
    expect(await version(server.adminUrl)).toMatch(/^18\./);
    await server.stop();
  });
});
