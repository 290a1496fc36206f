/**
 * What metrics cost a request, in processor time, within one run:
 *
 *     npm run bench -- metrics [pairs]
 *
 * Goal: 3 µs or less.
 */
import { measureRequests } from '@tenantry/service/metrics';
import fastify from 'fastify';
import { addedCost, reportAddedCost, type Side } from './added-cost.ts';
import { sized } from './figures.ts';

const pairs = Number(process.argv[2] ?? sized(600, 3));
const requests = 256;

async function service(isMeasured: boolean): Promise<Side> {
  const app = fastify({ logger: { level: 'silent' } });
  // Every service has a logger, for which Fastify listens for the end of each answer, and hooks.
  app.addHook('onRequest', (_request, _reply, done) => done());
  if (isMeasured) measureRequests(app, () => undefined);
  for (const name of ['leads', 'users', 'quotes']) app.get(`/api/${name}/:id`, async () => ({ name }));
  await app.ready();
  return {
    answer: (number) => app.inject(`/api/${['leads', 'users', 'quotes'][number % 3] ?? ''}/${number}`),
  };
}

const cost = await addedCost({ without: await service(false), with: await service(true), pairs, requests });
reportAddedCost('metrics add to a request', cost, 3);
