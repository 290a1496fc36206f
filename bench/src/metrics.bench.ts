/**
 * What metrics cost a request, in processor time, within one run:
 *
 *     npm run bench -- metrics [rounds]
 *
 * Goal: 3 µs or less.
 */
import { Registry } from '@prometheus-io/client';
import { measureRequests } from '@tenantry/service-kit';
import fastify, { type FastifyInstance } from 'fastify';

const rounds = Number(process.argv[2] ?? 101);
const requests = 2_000;

async function service(measured: boolean): Promise<FastifyInstance> {
  const app = fastify();
  // Every service has hooks before its routes anyway.
  app.addHook('onRequest', (_request, _reply, done) => done());
  if (measured) measureRequests(app, new Registry());
  for (const name of ['leads', 'users', 'quotes']) app.get(`/api/${name}/:id`, async () => ({ name }));
  await app.ready();
  return app;
}

/** Processor time of a request, in microseconds. */
async function cost(app: FastifyInstance): Promise<number> {
  const before = process.cpuUsage();
  for (let sent = 0; sent < requests; sent += 1) {
    await app.inject(`/api/${['leads', 'users', 'quotes'][sent % 3] ?? ''}/${sent}`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requests;
}

const [bare, measured] = [await service(false), await service(true)];
const differences: number[] = [];
await cost(bare);
await cost(measured);
for (let round = 0; round < rounds; round += 1) {
  const without = await cost(bare);
  differences.push((await cost(measured)) - without);
}
differences.sort((a, b) => a - b);
const median = differences[Math.floor(differences.length / 2)] ?? Number.NaN;
const spread = [differences[0], differences.at(-1)].map((value) => value?.toFixed(2)).join(' to ');
console.log(`metrics: ${median.toFixed(2)} µs of processor time a request (median of ${rounds}; ${spread})`);
