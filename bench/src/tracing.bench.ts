/**
 * What tracing costs a request that asks one statement, in processor time, within one run:
 *
 *     npm run bench -- tracing [rounds]
 *
 * A recorded request is two spans, which are exported to a collector in another process; what the export takes here
 * counts. Goals: 8 µs or less where a request is not recorded, 25 µs where it is.
 */
import { traceRequests } from '@tenantry/service-kit';
import { inSpan, startTracing } from '@tenantry/tracing';
import fastify, { type FastifyInstance } from 'fastify';
import { median, report, sized, spread } from './figures.ts';
import { startProgram } from './program.ts';

const rounds = Number(process.argv[2] ?? sized(101, 3));
/** Two full batches of spans, which are exported without waiting for a timer. */
const requests = 512;
const spansOfOne = 2;

const trace = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7';

/** A service as a process has it that traces, or does not, when it is made. */
async function service(): Promise<FastifyInstance> {
  const app = fastify();
  app.decorateRequest('traceId');
  // Every service has hooks before its routes anyway.
  app.addHook('onRequest', (_request, _reply, done) => done());
  traceRequests(app, () => true);
  for (const name of ['leads', 'users', 'quotes']) {
    const rows = async () => ({ name });
    app.get(`/api/${name}/:id`, () => inSpan(`${name}-by-id`, { kind: 'client' }, rows));
  }
  await app.ready();
  return app;
}

/** Processor time of a request, in microseconds. */
async function cost(app: FastifyInstance, flags: string, sent: () => Promise<void> = async () => undefined) {
  const headers = { traceparent: `00-${trace}-${flags}` };
  const before = process.cpuUsage();
  for (let number = 0; number < requests; number += 1) {
    await app.inject({ url: `/api/${['leads', 'users', 'quotes'][number % 3] ?? ''}/${number}`, headers });
  }
  await sent();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / requests;
}

const collector = await startProgram({ file: './span-collector.ts', readyPath: '/spans' });
const off = await service();
const tracing = await startTracing({
  endpoint: collector.url,
  service: 'bench',
  version: '0.1.0',
  ratio: 0,
  logger: { info: () => undefined, warn: (fields) => console.error(fields) },
});
const on = await service();

let expected = 0;
async function exported(): Promise<void> {
  expected += requests * spansOfOne;
  await (await fetch(`${collector.url}/spans?from=${expected}`)).text();
}

const unrecorded: number[] = [];
const recorded: number[] = [];
for (let round = -1; round < rounds; round += 1) {
  const without = await cost(off, '00');
  const added = [await cost(on, '00'), await cost(on, '01', exported)].map((traced) => traced - without);
  // The first round warms up.
  if (round < 0) continue;
  unrecorded.push(added[0] ?? Number.NaN);
  recorded.push(added[1] ?? Number.NaN);
}
for (const [what, differences, goal] of [
  ['that is not recorded', unrecorded, 8],
  ['that is recorded and exported, two spans', recorded, 25],
] as const) {
  report({
    what: `processor time that tracing adds to a request ${what}, ${rounds} rounds`,
    value: `${spread(differences)} µs`,
    goal: `${goal} µs`,
    reached: median(differences) <= goal,
  });
}
await tracing.stop();
await collector.stop();
