import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Upstream, type UpstreamOptions } from '../src/upstream/upstream.ts';
import type { Instance } from '../src/upstream/instance.ts';
import { eventually, holdClock, send } from './support/client.ts';
import { startGateway } from './support/gateway.ts';
import { startRawUpstream, startUpstream } from './support/upstream.ts';

const get = { except: undefined, repeatable: true };
const post = { except: undefined, repeatable: false };
const ignore = {
  onRequestStart: () => undefined,
  onResponseStart: () => undefined,
  onResponseData: () => undefined,
  onResponseEnd: () => undefined,
  onResponseError: () => undefined,
};

/** A service on a clock of its own; connections to its instances lead nowhere. */
function upstreamOf(origins: readonly string[], more: Partial<UpstreamOptions> = {}) {
  const clock = { nowMs: 0 };
  const addresses = origins.map((origin) => ({ origin }));
  const upstream = new Upstream({ addresses, timeoutMs: 1_000, now: () => clock.nowMs, ...more });
  onTestFinished(() => {
    upstream.close();
  });
  const taken = (choice = get) => {
    const instance = upstream.choose(choice);
    instance?.dispatch({ path: '/', method: 'GET' }, ignore);
    return instance!;
  };
  const fails = (instance: Instance) => {
    instance.fail('broken');
    instance.release();
  };
  return { upstream, clock, taken, fails };
}
const two = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];

describe('an instance that breaks', () => {
  it('is ejected immediately instead of preferred as the least busy, and tried again by one request after a while [S-162]', () => {
    const { upstream, clock, taken, fails } = upstreamOf(two);
    const sick = taken();
    fails(sick);
    const other = taken();
    expect(other).not.toBe(sick);
    for (let count = 0; count < 20; count++) expect(taken()).toBe(other);

    clock.nowMs = 1_000;
    expect(taken()).toBe(sick);
    // Half open: until it has answered, no other request goes there.
    for (let count = 0; count < 5; count++) expect(taken()).toBe(other);
    sick.succeed();
    sick.release();
    expect(upstream.choose(get)).toBe(sick);
  });

  it('stays away longer each time, up to half a minute', () => {
    const { clock, taken, fails } = upstreamOf(two);
    const sick = taken();
    fails(sick);
    for (const restMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      clock.nowMs += restMs - 1;
      expect(taken()).not.toBe(sick);
      clock.nowMs += 1;
      expect(taken()).toBe(sick);
      fails(sick);
    }
  });

  it('is tried by a request that can be repeated, and by another only when none of those comes by', () => {
    const { clock, taken, fails } = upstreamOf(two);
    const sick = taken();
    fails(sick);
    clock.nowMs = 1_000;
    expect(taken(post)).not.toBe(sick);
    expect(taken(get)).toBe(sick);
    fails(sick);
    clock.nowMs += 2_000 + 5_000;
    expect(taken(post)).toBe(sick);
  });

  it('is still asked where there is no other', () => {
    const { upstream, taken, fails } = upstreamOf(two);
    const [first, second] = [taken(), taken()];
    fails(first);
    fails(second);
    expect([first, second]).toContain(upstream.choose(post));
    const { upstream: only, taken: take, fails: fail } = upstreamOf(two.slice(1));
    fail(take());
    expect(only.choose(post)).toBeDefined();
  });

  it('is ejected for silence only when it is silent again and again: one request may take long anywhere', () => {
    const { upstream, taken } = upstreamOf(two);
    const slow = taken();
    slow.release();
    slow.fail('silent');
    slow.fail('silent');
    expect([upstream.choose(get), upstream.choose(get)]).toContain(slow);
    slow.fail('silent');
    expect([upstream.choose(get), upstream.choose(get)]).not.toContain(slow);
  });
});

describe('an instance that closes the connection behind a good answer, as it does while it drains', () => {
  it('gets no requests while there is another, and is tried again once a second', () => {
    const { upstream, clock, taken } = upstreamOf(two);
    const draining = taken();
    draining.leave();
    draining.release();
    const other = taken();
    for (let count = 0; count < 20; count++) expect(taken(post)).toBe(other);
    for (let time = 1; time <= 5; time++) {
      clock.nowMs += 1_000;
      expect(taken(post)).toBe(other);
      expect(taken(get)).toBe(draining);
      draining.leave();
      draining.release();
    }
    clock.nowMs += 1_000;
    taken(get).succeed();
    draining.release();
    expect(upstream.choose(post)).toBe(draining);
  });

  it('is asked after one that has failed, which passes a request on if it is still away', () => {
    const { upstream, taken, fails } = upstreamOf(two);
    const [failed, draining] = [taken(), taken()];
    fails(failed);
    draining.leave();
    draining.release();
    for (let count = 0; count < 4; count++) expect(upstream.choose(post)).toBe(failed);
  });

  it('has its idle connections closed by the gateway, so that no request meets the end of one [S-158]', async () => {
    let drains = false;
    const held: (() => void)[] = [];
    const draining = await startUpstream((request, response) => {
      const respond = () => (drains ? response.setHeader('connection', 'close') : response).end('ok');
      if (request.url === '/api/leads/held') held.push(respond);
      else respond();
    });
    const other = await startUpstream((_request, response) => response.end('ok'));
    const isClosed = ({ closed }: Socket) => closed;
    const [ofDraining, ofOther] = [draining, other].map(({ server }) => {
      const sockets: Socket[] = [];
      server.on('connection', (socket) => sockets.push(socket));
      return sockets;
    });
    const { port } = await startGateway([`/api/leads=${draining.url}`, `/api/users=${other.url}`]);
    // Idle for longer than the one that is to be closed, so its time would be over first.
    expect((await send(port, '/api/users')).status).toBe(200);
    const first = send(port, '/api/leads/held');
    await eventually(() => held.length === 1);
    expect((await send(port, '/api/leads')).status).toBe(200);
    expect(draining.connections).toBe(2);

    drains = true;
    held[0]?.();
    expect((await first).status).toBe(200);
    await eventually(() => ofDraining!.every(isClosed));
    expect(ofOther!.some(isClosed)).toBe(false);
    expect((await send(port, '/api/leads')).status).toBe(200);
    expect(draining.connections).toBe(3);
  });

  it('is one that refuses, and nothing but that, where the answer is an error', async () => {
    const refusing = await startUpstream((_request, response) => {
      response.writeHead(413, { connection: 'close' }).end();
    });
    const other = await startUpstream((_request, response) => response.end('ok'));
    const { port } = await startGateway([`/api/leads=${refusing.url}|${other.url}`]);
    for (let count = 0; count < 6; count++) await send(port, '/api/leads');
    expect([refusing.requests.length, other.requests.length]).toEqual([3, 3]);
  });
});

describe('a black hole behind the gateway', () => {
  it('fails no request that can be repeated, and at most one other [S-162]', async () => {
    const hole = await startRawUpstream((socket) => socket.destroy());
    const well = await startUpstream(
      (request, response) => void request.resume().on('end', () => response.end('ok')),
    );
    const { port, app } = await startGateway([`/api/leads=${hole.url}|${well.url}`]);
    const reads = await Promise.all(Array.from({ length: 10 }, () => send(port, '/api/leads')));
    expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200));
    const measured = await app.metrics.metrics();
    const exchanges = (outcome: string) =>
      Number(
        new RegExp(`exchanges_total{upstream="/api/leads",outcome="${outcome}"} (\\d+)`).exec(measured)?.[1],
      );
    expect(exchanges('answered')).toBe(10);
    expect(exchanges('broken')).toBeGreaterThan(0);
    expect(['unreachable', 'silent', 'full'].map(exchanges)).toEqual([0, 0, 0]);
    expect(measured).toContain('tenantry_upstream_instances{upstream="/api/leads",state="resting"} 1');
    expect(measured).toContain('tenantry_upstream_instances{upstream="/api/leads",state="serving"} 1');

    const other = await startGateway([`/api/leads=${hole.url}|${well.url}`]);
    const writes: number[] = [];
    for (let count = 0; count < 10; count++) {
      writes.push((await send(other.port, '/api/leads', { method: 'POST', body: '{}' })).status);
    }
    expect(writes.filter((status) => status !== 200).length).toBeLessThanOrEqual(1);
  });

  it('breaks off within an answer and is ejected for that too', async () => {
    const broken = await startRawUpstream((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf');
      setTimeout(() => socket.destroy(), 10);
    });
    const well = await startUpstream((_request, response) => void response.end('ok'));
    const { port } = await startGateway([`/api/leads=${broken.url}|${well.url}`]);
    holdClock();
    const outcomes: string[] = [];
    for (let count = 0; count < 10; count++) {
      outcomes.push(
        await send(port, '/api/leads').then(
          ({ text }) => text,
          () => 'cut',
        ),
      );
    }
    expect(outcomes.filter((outcome) => outcome === 'cut')).toHaveLength(1);
  });

  it('costs one line each in the log, without a stack', async () => {
    const hole = await startRawUpstream((socket) => socket.destroy());
    const { port, logs } = await startGateway([`/api/leads=${hole.url}`]);
    await send(port, '/api/leads', { headers: { 'x-request-id': 'req-7' } });
    await eventually(() => logs().includes('request refused'));
    const [line = ''] = logs()
      .split('\n')
      .filter((text) => text.includes('request refused'));
    expect(line).toContain('"requestId":"req-7"');
    expect(line).toContain('"code":"UPSTREAM_UNAVAILABLE"');
    expect(line).not.toContain('"stack"');
  });
});

describe('a service reached by name', () => {
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('has an instance for each address, each with its own load', async () => {
    const { taken } = upstreamOf(['http://leads:3001'], { resolve: async () => ['10.0.0.1', '10.0.0.2'] });
    await settled();
    const [first, second] = [taken(), taken()];
    expect(first).not.toBe(second);
    expect([first.pending, second.pending]).toEqual([1, 1]);
  });

  it('is looked up again: new addresses join, and removed ones get no requests', async () => {
    let addresses = ['127.0.0.1'];
    const answer = (name: string) => startUpstream((_request, response) => void response.end(name));
    const service = await answer('ok');
    let lookUp = (): unknown => undefined;
    const { upstream } = upstreamOf([`http://leads:${service.port}`], {
      resolve: async () => addresses,
      every: (task) => {
        lookUp = task;
        return () => undefined;
      },
    });
    await settled();
    const [before] = [upstream.choose(get)];
    addresses = ['127.0.0.2', '127.0.0.3'];
    lookUp();
    await settled();
    const found = new Set([upstream.choose(get), upstream.choose(get), upstream.choose(get)]);
    expect(found.size).toBe(2);
    expect(found).not.toContain(before);
  });

  it('keeps the addresses known last while the name cannot be looked up', async () => {
    let fails = false;
    let lookUp = (): unknown => undefined;
    const { upstream } = upstreamOf(['http://leads:3001'], {
      resolve: async () => {
        if (fails) throw new Error('EAI_AGAIN');
        return ['10.0.0.1'];
      },
      every: (task) => {
        lookUp = task;
        return () => undefined;
      },
    });
    await settled();
    const known = upstream.choose(get);
    fails = true;
    lookUp();
    await settled();
    expect(upstream.choose(get)).toBe(known);
  });

  it('is asked by its name, whichever address answers', async () => {
    const service = await startUpstream((request, response) => void response.end(request.headers.host));
    const { port } = await startGateway([`/api/leads=http://localhost:${service.port}`]);
    for (let count = 0; count < 5; count++) {
      expect(await send(port, '/api/leads')).toMatchObject({
        status: 200,
        text: `localhost:${service.port}`,
      });
    }
  });
});
