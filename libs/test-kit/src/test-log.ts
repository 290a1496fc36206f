import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * A word that is in the passwords and secrets of tests and nowhere else: a log line that has it gives one of
 * them away.
 */
export const canary = 'kestrelquartz';

/** A new secret to start a service with, recognizable in a log. */
export const canarySecret = (): string => `${canary}-${randomBytes(32).toString('base64url')}`;

/** Where a service under test logs. */
export interface TestLog {
  /** Takes one line with its end: a destination for createLogger of libs/service. */
  write: (line: string) => void;
  /** Everything this service has logged so far. */
  text: () => string;
}

/**
 * Makes a log whose lines `npm test` searches for secrets once all tests have run.
 *
 * @param directory where vitest.setup.mjs says
 * @example
 * const logger = createLogger({ name: 'leads-service', level: 'trace', destination: testLog() });
 */
export function testLog(directory = process.env['TEST_LOG_DIRECTORY']): TestLog {
  if (!directory)
    throw new Error('TEST_LOG_DIRECTORY is not set: build vitest.config.mjs from projectTests.');
  const lines: string[] = [];
  const file = fileOfThisProcess(directory);
  return {
    write(line) {
      lines.push(line);
      // At once: a worker of Vitest may be killed, and what it logged last counts too.
      writeSync(file, line);
    },
    text: () => lines.join(''),
  };
}

/**
 * The log of a service that runs as a process of its own: standard output and error.
 *
 * @param isLogLine false for what the process says beside its log
 */
export function testLogOf(
  { stdout, stderr }: Pick<ChildProcess, 'stdout' | 'stderr'>,
  isLogLine: (line: string) => boolean = () => true,
): TestLog {
  const log = testLog();
  for (const input of [stdout, stderr]) {
    if (!input) continue;
    createInterface({ input }).on('line', (line) => {
      if (isLogLine(line)) log.write(`${line}\n`);
    });
  }
  return log;
}

/** A service that Prometheus can read. */
interface MeasuredService {
  readonly metrics: { metrics(): Promise<string> };
  addHook(name: 'onClose', hook: () => Promise<void>): unknown;
}

/**
 * Has what Prometheus would read of a service searched for secrets like its log, as it is when the service closes.
 * Call it before the service is ready.
 */
export function logMetrics(service: MeasuredService): void {
  const log = testLog();
  service.addHook('onClose', async () => log.write(await service.metrics.metrics()));
}

const files = new Map<string, number>();

/** One for all services of a process, opened once: some tests start hundreds. */
function fileOfThisProcess(directory: string): number {
  let file = files.get(directory);
  if (file === undefined) {
    mkdirSync(directory, { recursive: true });
    file = openSync(join(directory, `${process.pid}.log`), 'a');
    files.set(directory, file);
  }
  return file;
}
