/**
 * What tracing costs a request that asks one statement, in processor time, within one run:
 *
 *     npm run bench -- tracing [pairs]
 *
 * A recorded request is two spans. Their export counts, with all that this process does for it: serialization, the
 * exchange with the collector, which is a process of its own, and the memory that both take.
 * Goals: 8 µs or less where a request is not recorded, 25 µs where it is.
 */
import { traceRequests } from '@tenantry/service/http';
import { inSpan, startTracing } from '@tenantry/tracing';
import fastify, { type FastifyInstance } from 'fastify';
import { addedCost, reportAddedCost, type Side } from './added-cost.ts';
import { sized } from './figures.ts';
import { startProgram } from './program.ts';

const pairs = Number(process.argv[2] ?? sized(400, 3));
/** A full batch of spans, which is exported at once, without waiting for a timer. */
const requests = 256;

const trace = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7';

/** A service as a process has it that traces, or does not, when it is made. */
async function service(): Promise<FastifyInstance> {
  const app = fastify({ logger: { level: 'silent' } });
  app.decorateRequest('traceId');
  // Every service has a logger, for which Fastify listens for the end of each answer, and hooks.
  app.addHook('onRequest', (_request, _reply, done) => done());
  app.addHook('onResponse', (_request, _reply, done) => done());
  traceRequests(app, () => true);
  for (const name of ['leads', 'users', 'quotes']) {
    const rows = async () => ({ name });
    app.get(`/api/${name}/:id`, () => inSpan(`${name}-by-id`, { kind: 'client' }, rows));
  }
  await app.ready();
  return app;
}

const collector = await startProgram({ file: './span-collector.ts', readyPath: '/exports?from=0' });
/** Answers once the collector has taken so many exports; both sides ask, so that the difference does not hold it. */
async function untilTaken(exports: number): Promise<void> {
  await (await fetch(`${collector.url}/exports?from=${exports}`)).text();
}

function side(app: FastifyInstance, flags: string, settle: () => Promise<void>): Side {
  const headers = { traceparent: `00-${trace}-${flags}` };
  const urls = Array.from(
    { length: requests },
    (_, number) => `/api/${['leads', 'users', 'quotes'][number % 3] ?? ''}/${number}`,
  );
  return { answer: (number) => app.inject({ url: urls[number] ?? '', headers }), settle };
}

const off = await service();
const tracing = await startTracing({
  endpoint: collector.url,
  service: 'bench',
  version: '0.1.0',
  ratio: 0,
  logger: { info: () => undefined, warn: (fields) => console.error(fields) },
});
const on = await service();

let exports = 0;
const nothing = () => untilTaken(0);
const without = side(off, '00', nothing);
for (const [what, added, goal] of [
  ['that is not recorded', side(on, '00', nothing), 8],
  ['that is recorded and exported, two spans', side(on, '01', () => untilTaken((exports += 1))), 25],
] as const) {
  const cost = await addedCost({ without, with: added, pairs, requests });
  reportAddedCost(`tracing adds to a request ${what}`, cost, goal);
}
await tracing.stop();
await collector.stop();
