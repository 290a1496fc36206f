import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTestIssuer, type TestIssuer } from '@tenantry/jwt-verify/testing';

const node = resolve(import.meta.dirname, '../../../node_modules/.bin/node');
let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await createTestIssuer({ server: true });
});
afterAll(() => issuer.close());

/** A feed that answers the first poll, and no other. */
async function startFeedThatHangs() {
  const feed = createServer(({ url = '' }, response) => {
    if (url.includes('wait=0')) response.end(JSON.stringify({ cursor: '0', entries: [], nowMs: Date.now() }));
  });
  await once(feed.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    feed.closeAllConnections();
    feed.close();
  });
  return `http://127.0.0.1:${(feed.address() as AddressInfo).port}/revocations`;
}

/** Runs a program against the issuer; gives what it printed. */
async function run(
  body: string,
  { signal, revocations }: { readonly signal: AbortSignal; readonly revocations?: string },
): Promise<{ output: string; code: unknown }> {
  const program = `
    import { createVerifier } from '@tenantry/jwt-verify';
    const [issuer, revocations, token] = process.argv.slice(1);
    const verifier = createVerifier({ issuer, revocations });
    ${body}`;
  const { issuer: iss, server } = issuer;
  const flags = ['--conditions=@tenantry/source', '--input-type=module', '--eval', program];
  const args = [iss, revocations ?? server!.revocationsUrl, await issuer.token({ sub: 'user-1' })];
  const child = spawn(node, [...flags, ...args], { cwd: import.meta.dirname, signal });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [unknown];
  return { output, code };
}

describe('a process', () => {
  it('ends by itself while a poll waits, though the verifier was not closed', async ({ signal }) => {
    const program = `
      import { subscribe } from 'node:diagnostics_channel';
      const underWay = new Set();
      const count = (event, change) =>
        subscribe('http.client.' + event, ({ request }) => request.path.includes('wait=') && underWay[change](request.path));
      count('request.start', 'add');
      count('request.error', 'delete');
      count('response.finish', 'delete');
      await verifier.ready();
      console.log((await verifier.verify(token)).userId);
      while (underWay.size === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      process.on('exit', () => console.log([...underWay].join()));`;
    const revocations = await startFeedThatHangs();
    const { output, code } = await run(program, { signal, revocations });
    expect(output).toMatch(/^user-1\n.*wait=[1-9]\d*\n$/);
    expect(code).toBe(0);
  });

  it('waits for the first verification, though nothing else keeps it alive', async ({ signal }) => {
    const { output, code } = await run('console.log((await verifier.verify(token)).userId);', { signal });
    expect({ output, code }).toEqual({ output: 'user-1\n', code: 0 });
  });
});
