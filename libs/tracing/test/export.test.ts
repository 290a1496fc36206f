import { startTraceCollector, type AnswerExport, type TraceCollector } from '@tenantry/test-kit';
import { inTrace, startTracing } from '@tenantry/tracing';
import { afterEach, describe, expect, it } from 'vitest';
import { silent } from './logger.ts';

const running: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) await each.close();
});

/** A collector and a process that exports to it, with what that logs. */
async function started(answer?: AnswerExport) {
  const collector = await startTraceCollector();
  collector.answerBy(answer);
  const lines: string[] = [];
  const say = (_fields: object, message: string) => void lines.push(message);
  const tracing = await startTracing({
    endpoint: collector.endpoint,
    service: 'leads-service',
    version: '1.2.3',
    ratio: 1,
    logger: { info: say, warn: say },
  });
  running.push({ close: () => tracing.stop() }, collector);
  return { collector, tracing, lines };
}

/** As many spans as fill a batch, so that it is exported at once. */
const batch = 512;
const record = async (spans: number, name = 'span') => {
  for (let span = 0; span < spans; span += 1) await inTrace(name, async () => undefined);
};
const badRequest: AnswerExport = (response) => response.writeHead(400).end();

describe('a collector that refuses', () => {
  it('is one line in the log, and one when it takes spans again', async () => {
    const { collector, tracing, lines } = await started(badRequest);
    for (let round = 0; round < 4; round += 1) {
      const before = collector.text().length;
      await record(batch);
      await expect.poll(() => collector.text().length).toBeGreaterThan(before);
    }
    await expect.poll(() => lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^spans cannot be exported/);
    await expect.poll(() => tracing.spans).toMatchObject({ exported: 0, exportFailed: 4 * batch });

    collector.answerBy(undefined);
    await record(batch, 'after');
    await expect.poll(() => collector.spans.length).toBeGreaterThan(0);
    await expect.poll(() => lines.slice(1)).toEqual(['spans are exported again']);
  });
});

describe('a collector that is slow', () => {
  it('costs a queue of 2,048 spans, and what does not fit is dropped', async () => {
    const answers: (() => void)[] = [];
    const { collector, tracing } = await started((response) => {
      answers.push(() => response.writeHead(200).end('{}'));
    });
    await record(batch, 'in hand');
    await expect.poll(() => answers.length).toBe(1);
    await record(20_000, 'waiting');
    collector.answerBy(undefined);
    answers.forEach((answer) => answer());
    expect(await tracing.stop()).toBe(true);
    expect(collector.spans).toHaveLength(2_048);
    expect(tracing.spans).toEqual({ exported: 512 + 2_048, queueFull: 20_000 - 2_048, exportFailed: 0 });
  });
});

describe('the end of a process', () => {
  const never: AnswerExport = () => undefined;
  const reset: AnswerExport = (response) => response.socket?.resetAndDestroy();

  it('sends what is left', async () => {
    const { collector, tracing } = await started();
    await record(3);
    expect(await tracing.stop()).toBe(true);
    expect(collector.spans).toHaveLength(3);
  });

  it.each([
    ['never answers', never],
    ['resets its connections', reset],
  ])('waits two seconds and no longer for a collector that %s', async (_what, answer) => {
    const { tracing, lines } = await started(answer);
    await record(3);
    expect(await tracing.stop()).toBe(false);
    expect(lines).toEqual(notGivenUp);
  });

  it('waits two seconds and no longer for a collector that is away', async () => {
    const { collector, tracing, lines } = await started();
    await collector.close();
    await record(3);
    expect(await tracing.stop()).toBe(false);
    expect(lines).toEqual(notGivenUp);
  });

  /** What is logged while an export is under way. It is given up after ten seconds, with a line. */
  const notGivenUp: string[] = [];
});

it('the share of traces that is recorded is the one that is set', async () => {
  const collector: TraceCollector = await startTraceCollector();
  const { endpoint } = collector;
  const tracing = await startTracing({ endpoint, service: 'x', version: '1', ratio: 0.25, logger: silent });
  running.push(collector);
  await record(1_000);
  await tracing.stop();
  expect(collector.spans.length).toBeGreaterThan(150);
  expect(collector.spans.length).toBeLessThan(350);
});
