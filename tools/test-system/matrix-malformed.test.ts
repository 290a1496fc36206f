import { readFileSync } from 'node:fs';
import { patience } from '@tenantry/test-kit';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { departureFromDocument } from './matrix/description.ts';
import { malformedRequests, sentBy } from './matrix/malformed-requests.ts';
import { isUnsafe, nameOf, readOperations } from './matrix/operations.ts';
import { Api } from './matrix/people.ts';
import { servicesAt } from './matrix/services.ts';
import { send } from './matrix/wire.ts';

/** How many requests over all operations; TEST_MALFORMED_REQUESTS=100000 takes its time. */
const requestCount = Number(process.env['TEST_MALFORMED_REQUESTS'] ?? 20_000);

const services = servicesAt(inject('whereabouts'));
const [api, operations] = await Promise.all([Api.of(services), readOperations(services)]);
const processesAtFirst = await services.processIds();
/** V8 lets the heap grow as long as it is busy: to 470 MB and no further, over 30,000 requests or 100,000. */
const megabytesMax = requestCount > 10_000 ? 520 : 300;
const requestsEach = Math.ceil(requestCount / operations.length);

// The slowest answers take a quarter of a second on purpose, whether or not there is such an account.
describe('malformed requests', { timeout: patience(60_000 + 600 * requestsEach) }, () => {
  it.concurrent.each(
    operations.map((operation) => [operation.service, nameOf(operation), operation] as const),
  )(
    '%s: %s refuses them as its document says, and never fails [S-155]',
    async (_service, _name, operation) => {
      let person = await api.signUp();
      await fc.assert(
        fc.asyncProperty(malformedRequests(operation), async (request) => {
          const answer = await send(services.urlOf(operation.service), sentBy(person, request));
          expect(answer.status, answer.text).toBeLessThan(500);
          expect(departureFromDocument(operation, answer)).toBeUndefined();
          // What was not malformed enough may have ended the session or the account.
          if (isUnsafe(operation) && answer.status < 300) person = await api.signUp();
        }),
        { numRuns: requestsEach },
      );
    },
  );
});

describe('malformed requests, once over,', () => {
  it('have ended no process, caused no error inside, and been kept in no memory [S-155]', async () => {
    expect(await services.processIds()).toEqual(processesAtFirst);
    expect(await services.defects()).toEqual([]);
    if (process.platform !== 'linux') return;
    for (const [name, pid] of Object.entries(processesAtFirst)) {
      expect(residentMegabytes(pid), `megabytes of ${name}`).toBeLessThan(megabytesMax);
    }
  });
});

function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024;
}
