import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startTraceCollector, testLogOf } from '@tenantry/test-kit';
import { expect, it, onTestFinished } from 'vitest';

/** Says, on standard error, what is loaded of OpenTelemetry. */
const watch = `import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      const [, name] = /\\/node_modules\\/@opentelemetry\\/([^/]+)\\//.exec(url) ?? [];
      if (name) console.error('loaded ' + name);
      return next(url, context);
    },
  });`;

/** Starts the fixture in a process of its own, and waits until it listens. */
async function start(env: Readonly<Record<string, string>>) {
  const main = new URL('../test/fixture-main.ts', import.meta.url).pathname;
  const imported = `data:text/javascript,${encodeURIComponent(watch)}`;
  const child = spawn(process.execPath, ['--conditions=@tenantry/source', '--import', imported, main], {
    env: { ...process.env, LOG_LEVEL: 'trace', TRACE_RATIO: '1', ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const log = testLogOf(child);
  const exit = once(child, 'close').then(([code]) => code as number | null);
  await expect.poll(log.text).toContain('Server listening');
  const port = /Server listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(log.text())?.[1];
  return { child, exit, log, url: `http://127.0.0.1:${port}` };
}

const loadedBy = (text: string) => [...text.matchAll(/^loaded (.+)$/gm)].map(([, name]) => name ?? '');

it('a process that does not trace loads nothing of the SDK', async () => {
  const { child, exit, log, url } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: '' });
  expect((await fetch(`${url}/slow`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  expect(loadedBy(log.text()).filter((name) => name !== 'api')).toEqual([]);
});

it('a process that traces sends its last spans when it is stopped', async () => {
  const collector = await startTraceCollector();
  onTestFinished(() => collector.close());
  const { child, exit, log, url } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  expect((await fetch(`${url}/slow`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  expect(loadedBy(log.text())).toEqual(expect.arrayContaining(['sdk-trace', 'otlp-exporter-base']));
  expect(collector.spans.map(({ name }) => name)).toContain('GET /slow');
});

it('a collector that never answers does not keep a process that is stopped', async () => {
  const collector = await startTraceCollector();
  onTestFinished(() => collector.close());
  collector.answerBy(() => undefined);
  const { child, exit, log, url } = await start({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    // By itself the exporter would try for longer than the test may take.
    OTEL_EXPORTER_OTLP_TIMEOUT: '600000',
  });
  expect((await fetch(`${url}/slow`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await exit).toBe(0);
  expect(log.text()).toContain('"msg":"stopped"');
});
