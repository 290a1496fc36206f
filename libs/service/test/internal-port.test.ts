import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort, patience, testLogOf, type TestLog } from '@tenantry/test-kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const main = new URL('fixture-main.ts', import.meta.url).pathname;

const children: ChildProcess[] = [];

function start(env: Record<string, string>): { child: ChildProcess; log: TestLog } {
  const child = spawn(process.execPath, ['--conditions=@tenantry/source', main], {
    env: { ...process.env, LOG_LEVEL: 'info', ...env },
  });
  children.push(child);
  return { child, log: testLogOf(child) };
}

let publicPort: number;
let internalPort: number;
let running: ChildProcess;
let logged: TestLog['text'];
beforeAll(async () => {
  [publicPort, internalPort] = [await freePort(), await freePort()];
  const { child, log } = start({ PORT: String(publicPort), INTERNAL_PORT: String(internalPort) });
  running = child;
  logged = log.text;
  await vi.waitFor(() => expect(log.text()).toContain('Server listening'), patience());
});
afterAll(() => children.forEach((child) => child.kill('SIGKILL')));

const statusOf = async (port: number, path: string, method = 'GET') =>
  (await fetch(`http://127.0.0.1:${port}${path}`, { method })).status;

describe('INTERNAL_PORT', () => {
  it('alone answers what is below /internal, and nothing else [S-117]', async () => {
    expect(await statusOf(internalPort, '/internal/slow')).toBe(200);
    for (const path of ['/slow', '/api/health/live', '/nowhere']) {
      expect([path, await statusOf(internalPort, path)]).toEqual([path, 404]);
    }

    expect(await statusOf(publicPort, '/slow')).toBe(200);
    // Not even what methods there would be, however the path is spelt.
    for (const path of ['/internal/slow', '/%69nternal/slow', '/internal/nowhere', '/internal']) {
      expect([path, await statusOf(publicPort, path)]).toEqual([path, 404]);
      expect([path, await statusOf(publicPort, path, 'POST')]).toEqual([path, 404]);
    }
    // A path that is not on this port is no refusal that its document lacks.
    expect(logged()).not.toContain('do not declare');
  });

  it('refuses a broken request as the public port does', async () => {
    const socket = connect(internalPort, '127.0.0.1', () => socket.write('hello\r\n\r\n'));
    let received = '';
    socket.on('data', (data) => (received += data.toString()));
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('that is taken is named in the sentence with which a start fails', async () => {
    const { child, log } = start({ PORT: '0', INTERNAL_PORT: String(internalPort) });
    expect((await once(child, 'exit'))[0]).toBe(1);
    await expect.poll(log.text).toContain('set INTERNAL_PORT');
  });

  it('lets answers under way finish when the process is told to stop, and then holds it no longer', async () => {
    const exit = once(running, 'exit');
    // Leaves a kept-alive connection behind, beside the one of the slow answer.
    await statusOf(internalPort, '/nowhere');
    const answer = fetch(`http://127.0.0.1:${internalPort}/internal/last`);
    await expect.poll(logged).toContain('the last answer is under way');
    running.kill('SIGTERM');

    const { status, headers } = await answer;
    expect([status, headers.get('connection')]).toEqual([200, 'close']);
    expect((await exit)[0]).toBe(0);
  });
});
