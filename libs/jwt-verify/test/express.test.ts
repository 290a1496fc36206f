import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { resolve } from 'node:path';
import express5, { type ErrorRequestHandler } from 'express';
import express4 from 'express-4';
import { afterEach, describe, expect, it } from 'vitest';
import { answerRefusals, jwtAccess } from '@tenantry/jwt-verify/express';
import { createTestIssuer } from '@tenantry/jwt-verify/testing';
import { eventually } from './eventually.ts';
import { permissions } from './permissions.ts';
import { listen, type RunningService } from './services.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const versions = { 'Express 5': express5, 'Express 4': express4 };

describe.each(Object.entries(versions))('%s', (_name, express) => {
  async function serving(declare: (app: ReturnType<typeof express>) => void): Promise<RunningService> {
    const app = express();
    declare(app);
    const service = await listen(createServer(app as RequestListener));
    closing.push(() => service.close());
    return service;
  }

  it('answers a refusal with status and challenge also where nothing answers errors', async () => {
    const issuer = await createTestIssuer();
    closing.push(() => issuer.close());
    const service = await serving((app) => {
      app.set('env', 'test');
      app.use(jwtAccess(issuer.verifier()).protect);
    });
    const refused = await service.send('/');
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  it('gives refusals to the error middleware of the application, and answers no other error', async () => {
    const issuer = await createTestIssuer();
    closing.push(() => issuer.close());
    const seen: unknown[] = [];
    const service = await serving((app) => {
      app.get('/broken', () => {
        throw new Error('broken');
      });
      app.get('/begun', (_request, response, next) => {
        response.write('begun');
        next(new Error('broken'));
      });
      app.use(jwtAccess(issuer.verifier()).protect);
      app.use(answerRefusals);
      const last: ErrorRequestHandler = (error: Error, _request, response, next) => {
        seen.push(error.message);
        if (response.writableEnded) next(error);
        else response.end();
      };
      app.use(last);
    });
    expect((await service.send('/')).status).toBe(401);
    await service.send('/broken');
    expect(await (await service.send('/begun')).text()).toBe('begun');
    expect(seen).toEqual(['broken', 'broken']);
  });

  it('waits for a key that must be fetched first', async () => {
    const issuer = await createTestIssuer({ server: true });
    closing.push(() => issuer.close());
    const service = await serving((app) => {
      app.use(jwtAccess(issuer.verifier()).protect);
      app.get('/', (_request, response) => void response.json('reached'));
      app.use(answerRefusals);
    });
    const send = async (kid?: string) => {
      const token = await issuer.token({}, kid === undefined ? {} : { kid });
      return (await service.send('/', { headers: { authorization: `Bearer ${token}` } })).status;
    };
    expect([await send(), await send('forged')]).toEqual([200, 401]);
  });

  it('asks each of two verifiers: who is known to one is not known to the other', async () => {
    const [one, other] = [await createTestIssuer(), await createTestIssuer({ issuer: 'https://other.test' })];
    closing.push(
      () => one.close(),
      () => other.close(),
    );
    const service = await serving((app) => {
      app.use(
        jwtAccess(one.verifier()).protect,
        jwtAccess(other.verifier(), { permissions }).requires('invoices:read'),
      );
      app.get('/', (_request, response) => void response.json('reached'));
      app.use(answerRefusals);
    });
    for (const known of [one, other]) {
      const headers = { authorization: `Bearer ${await known.token({ role: 'owner' })}` };
      expect((await service.send('/', { headers })).status).toBe(401);
    }
  });

  it('runs a handler once, whatever the handler throws', async () => {
    const issuer = await createTestIssuer();
    closing.push(() => issuer.close());
    let runs = 0;
    const service = await serving((app) => {
      app.use(jwtAccess(issuer.verifier()).protect);
      app.get('/', () => {
        runs++;
        throw new Error('broken');
      });
      const last: ErrorRequestHandler = (error, _request, response, next) => {
        if (response.headersSent) next(error);
        else response.status(500).end();
      };
      app.use(last);
    });
    const headers = { authorization: `Bearer ${await issuer.token()}` };
    expect((await service.send('/', { headers })).status).toBe(500);
    expect(runs).toBe(1);
  });
});

describe('a process with Express 4', () => {
  it('still serves after a thousand refused requests [S-85]', async () => {
    const issuer = await createTestIssuer({ server: true });
    closing.push(() => issuer.close());
    const program = `
      import express from 'express-4';
      import { createVerifier } from '@tenantry/jwt-verify';
      import { jwtAccess } from '@tenantry/jwt-verify/express';
      const [issuer, revocations] = process.argv.slice(1);
      const permissions = { owner: ['reports:read'] };
      const access = jwtAccess(createVerifier({ issuer, revocations }), { permissions });
      const app = express();
      app.set('env', 'test');
      app.get('/report', access.requires('reports:read'), (request, response) => response.json('report'));
      const server = app.listen(0, '127.0.0.1', () => console.log(String(server.address().port)));`;
    const node = resolve(import.meta.dirname, '../../../node_modules/.bin/node');
    const flags = ['--conditions=@tenantry/source', '--input-type=module', '--eval', program];
    const child = spawn(node, [...flags, issuer.issuer, issuer.server!.revocationsUrl], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    closing.push(() => child.kill());
    let port = '';
    child.stdout.on('data', (chunk: Buffer) => (port += String(chunk)));
    await eventually(() => port.endsWith('\n'));
    const url = `http://127.0.0.1:${port.trim()}/report`;
    const send = async (token?: string) =>
      (await fetch(url, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })).status;
    for (let n = 0; n < 1000; n++) expect(await send(n % 2 === 0 ? undefined : `forged-${n}`)).toBe(401);
    expect(await send(await issuer.token({ role: 'member' }))).toBe(403);
    expect(await send(await issuer.token({ role: 'owner' }))).toBe(200);
    expect(child.exitCode).toBeNull();
    child.kill();
    await once(child, 'exit');
  });
});
