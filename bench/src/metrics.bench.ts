/**
 * What metrics cost a request, in processor time, within one run:
 *
 *     npm run bench -- metrics [rounds]
 *
 * Goal: 3 µs or less.
 */
import { measureRequests } from '@tenantry/service-kit';
import fastify, { type FastifyInstance } from 'fastify';
import { median, report, sized, spread } from './figures.ts';

const rounds = Number(process.argv[2] ?? sized(101, 3));
const requests = sized(2_000, 50);
const goal = 3;

async function service(measured: boolean): Promise<FastifyInstance> {
  const app = fastify();
  // Every service has hooks before its routes anyway.
  app.addHook('onRequest', (_request, _reply, done) => done());
  if (measured) measureRequests(app, () => undefined);
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
report({
  what: `processor time that metrics add to a request, ${rounds} rounds`,
  value: `${spread(differences)} µs`,
  goal: `${goal} µs`,
  reached: median(differences) <= goal,
});
