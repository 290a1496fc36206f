import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, connect, type AddressInfo } from 'node:net';
import { testLogOf } from '@tenantry/test-kit';
import { afterEach, describe, expect, it } from 'vitest';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exit: Promise<number | null>;
}

function start(env: Record<string, string>): Running {
  const main = new URL('../test/fixture-main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, ['--conditions=@tenantry/source', main], {
    env: { ...process.env, LOG_LEVEL: 'trace', ...env },
  });
  children.push(child);
  const log = testLogOf(child);
  const exit = once(child, 'close').then(([code]) => code as number | null);
  return { child, output: log.text, exit };
}

async function portOf({ child, output }: Running): Promise<number> {
  for (;;) {
    const port = /Server listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(output())?.[1];
    if (port) return Number(port);
    if (child.exitCode !== null) throw new Error(`the fixture ended: ${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Sends a request that the service answers half a second after it is told to stop. */
async function underWay({ output }: Running, port: number): Promise<{ answer: Promise<Response> }> {
  const answer = fetch(`http://127.0.0.1:${port}/internal/last`);
  await expect.poll(output).toContain('the last answer is under way');
  return { answer };
}

/** Writes `text` on a bare socket and resolves with everything that came back until it was closed. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

describe('starting', () => {
  it('reports every configuration problem and exits 1 without a stack', async () => {
    const running = start({ PORT: 'eighty', LOG_LEVEL: 'loud' });
    expect(await running.exit).toBe(1);
    expect(running.output()).toMatch(/PORT must be an integer/);
    expect(running.output()).toMatch(/LOG_LEVEL must be one of/);
    expect(running.output()).not.toContain(' at ');
  });

  it('says in one sentence that the port is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const { port } = blocker.address() as AddressInfo;
    const running = start({ PORT: String(port) });
    expect(await running.exit).toBe(1);
    expect(running.output()).toContain(`port ${port} on 127.0.0.1 is taken`);
    blocker.close();
  });
});

describe('a process that starts the service', () => {
  it('can hand it the socket that it listens on, and is told by it when it is ready [S-159]', async () => {
    const held = createServer().listen(0, '127.0.0.1');
    await once(held, 'listening');
    const { port } = held.address() as AddressInfo;
    const { fd } = (held as unknown as { _handle: { fd: number } })._handle;
    const main = new URL('../test/fixture-main.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, ['--conditions=@tenantry/source', main], {
      // What listens elsewhere is nothing to it.
      env: { ...process.env, LISTEN_FDS: '1', PORT: '1' },
      stdio: ['ignore', 'pipe', 'pipe', fd, 'ipc'],
    });
    children.push(child);
    expect(await once(child, 'message')).toEqual([{ ready: true }, undefined]);
    held.close();
    expect((await fetch(`http://127.0.0.1:${port}/slow`)).status).toBe(200);
  });
});

describe('SIGTERM', () => {
  it('lets running requests finish, then ends the process with 0 and frees the port [S-158]', async () => {
    const running = start({});
    const port = await portOf(running);
    const slow = await underWay(running, port);
    running.child.kill('SIGTERM');
    const answer = await slow.answer;
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ done: true });
    expect(await running.exit).toBe(0);
    await expect(fetch(`http://127.0.0.1:${port}/slow`)).rejects.toThrow();
  });

  it('does not wait for clients that have not sent a request, or not all of its head', async () => {
    const running = start({});
    const port = await portOf(running);
    const unfinished = ['', 'GET /slow HTTP/1.1\r\nhost: x\r\n'].map((text) => exchange(port, text));
    const slow = await underWay(running, port);
    running.child.kill('SIGTERM');
    expect((await slow.answer).status).toBe(200);
    expect(await running.exit).toBe(0);
    await Promise.all(unfinished);
  });

  it('with a grace period answers not ready first', async () => {
    const running = start({ SHUTDOWN_GRACE_SECONDS: '5' });
    const port = await portOf(running);
    running.child.kill('SIGTERM');
    const readiness = async () => (await fetch(`http://127.0.0.1:${port}/api/health/ready`)).status;
    await expect.poll(readiness).toBe(503);
    expect(await running.exit).toBe(0);
  });
});

describe('what is not HTTP', () => {
  it('is refused in the failure shape on the bare socket', async () => {
    const running = start({});
    const port = await portOf(running);
    const garbage = await exchange(port, 'hello\r\n\r\n');
    expect(garbage).toMatch(/^HTTP\/1\.1 400 [^]*"code":"VALIDATION_ERROR"/);
    const oversized = await exchange(port, `GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(17_000)}\r\n\r\n`);
    expect(oversized).toMatch(/^HTTP\/1\.1 431 [^]*"code":"HEADERS_TOO_LARGE"/);
    const smuggled =
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n';
    expect(await exchange(port, smuggled)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('500 clients that never finish their headers are cut, and leave health answers under 200 ms [S-144]', async () => {
    const running = start({});
    const port = await portOf(running);
    const slow = Array.from({ length: 500 }, () => exchange(port, 'GET / HTTP/1.1\r\nhost: x\r\n'));
    const latencies: number[] = [];
    for (let probe = 0; probe < 20; probe++) {
      const sentAt = performance.now();
      expect((await fetch(`http://127.0.0.1:${port}/api/health/live`)).status).toBe(200);
      latencies.push(performance.now() - sentAt);
    }
    await Promise.all(slow);
    expect(latencies.sort((a, b) => a - b)[10]).toBeLessThan(200);
  });
});
