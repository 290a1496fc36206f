import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestIssuer, type TestIssuer } from '@tenantry/jwt-verify/testing';

const node = resolve(import.meta.dirname, '../../../node_modules/.bin/node');
let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await createTestIssuer({ server: true });
});
afterAll(() => issuer.close());

/** Runs a program against the issuer; gives what it printed. */
async function run(body: string, signal: AbortSignal): Promise<{ output: string; code: unknown }> {
  const program = `
    import { createVerifier } from '@tenantry/jwt-verify';
    const [issuer, revocations, token] = process.argv.slice(1);
    const verifier = createVerifier({ issuer, revocations });
    ${body}`;
  const { issuer: iss, server } = issuer;
  const flags = ['--conditions=@tenantry/source', '--input-type=module', '--eval', program];
  const child = spawn(node, [...flags, iss, server!.revocationsUrl, await issuer.token({ sub: 'user-1' })], {
    cwd: import.meta.dirname,
    signal,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const [code] = (await once(child, 'close')) as [unknown];
  return { output, code };
}

describe('a process', () => {
  it('ends by itself while a poll waits, though the verifier was not closed', async ({ signal }) => {
    // The poll begins 100 ms after the first answer, and waits for 3 s.
    const program = `
      await verifier.ready();
      console.log((await verifier.verify(token)).userId);
      await new Promise((resolve) => setTimeout(resolve, 300));
      const since = performance.now();
      process.on('exit', () => console.log(performance.now() - since < 2_500 ? 'before' : 'after', 'its end'));`;
    const { output, code } = await run(program, signal);
    expect({ output, code }).toEqual({ output: 'user-1\nbefore its end\n', code: 0 });
  });

  it('waits for the first verification, though nothing else keeps it alive', async ({ signal }) => {
    const { output, code } = await run('console.log((await verifier.verify(token)).userId);', signal);
    expect({ output, code }).toEqual({ output: 'user-1\n', code: 0 });
  });
});
