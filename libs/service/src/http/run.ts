import { readFileSync } from 'node:fs';
import { startTracing, type Tracing, type TracingOptions } from '@tenantry/tracing';
import type { Static, TObject } from 'typebox';
import { isUnavailable } from '../failures/database-faults.ts';
import { announceReadiness } from '../health/announced-readiness.ts';
import { createLogger, type Logger } from '../logging/logging.ts';
import { spanMeasurements } from '../metrics/metrics.ts';
import { makeDocument } from '../openapi/document.ts';
import { openInternalPort } from '../server/internal-port.ts';
import { ConfigError, readConfig } from '../settings/config.ts';
import { serveMetrics } from './metrics-server.ts';
import type { Service } from './service.ts';

/** The settings that {@link runApp} itself reads. */
interface RunSettings {
  readonly HOST: string;
  readonly PORT: number;
  readonly LISTEN_FDS?: number;
  readonly METRICS_PORT?: number;
  readonly INTERNAL_PORT?: number;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  readonly TRACE_RATIO: number;
  readonly LOG_LEVEL: string;
  readonly SHUTDOWN_GRACE_SECONDS: number;
}

/** The version in a service's package.json; it is what the health endpoint answers. */
export function readVersion(packageJson: URL): string {
  return (JSON.parse(readFileSync(packageJson, 'utf8')) as { version: string }).version;
}

/** The parts of running a service. */
export interface RunOptions<Schema extends TObject> {
  readonly name: string;
  readonly version: string;
  readonly config: Schema;
  readonly build: (config: Readonly<Static<Schema>>, logger: Logger) => Promise<Service>;
}

/**
 * Runs the service that `build` returns until SIGTERM or SIGINT, then drains it: readiness fails, running requests finish, the
 * service's onClose hooks run, and the process ends by itself.
 *
 * @param process the process to run in; a service's `main.ts` hands it over and is the only file that touches it.
 */
export async function runApp<Schema extends TObject>(
  process: NodeJS.Process,
  options: RunOptions<Schema>,
): Promise<void> {
  const { name, version } = options;
  const config = configOrExit(process, options);
  const settings = config as unknown as RunSettings;
  const logger = createLogger({ name, level: settings.LOG_LEVEL });

  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught exception, exiting');
    process.exit(1);
  });

  try {
    const tracing = await startTracingBy(settings, { service: name, version, logger });
    const service = await options.build(config, logger);
    service.measure(spanMeasurements(tracing));
    stopOnSignal(process, { service, tracing, logger, graceSeconds: settings.SHUTDOWN_GRACE_SECONDS });
    if (settings.METRICS_PORT !== undefined) {
      await serveMetrics(service, { host: settings.HOST, port: settings.METRICS_PORT });
    }
    if (settings.INTERNAL_PORT !== undefined) {
      await openInternalPort(service, { host: settings.HOST, port: settings.INTERNAL_PORT });
    }
    await makeDocument(service);
    await service.listen({ host: settings.HOST, ...socketOf(settings) });
    if (process.connected) await announceReadiness(process, service);
  } catch (error) {
    logger.fatal({ err: error }, startFailure(error, settings));
    process.exitCode = 1;
    // Pools and timers of a partly built service must not keep the process alive.
    setImmediate(() => process.exit());
  }
}

function configOrExit<Schema extends TObject>(process: NodeJS.Process, { name, config }: RunOptions<Schema>) {
  try {
    return readConfig(name, config, process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(1);
  }
}

/** Starts before the service is built, which then either traces all requests or none. */
async function startTracingBy(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRACE_RATIO: ratio }: RunSettings,
  process: Pick<TracingOptions, 'service' | 'version' | 'logger'>,
): Promise<Tracing | undefined> {
  return endpoint === undefined ? undefined : startTracing({ ...process, endpoint, ratio });
}

/** The first of the descriptors that are handed down, as systemd does it (sd_listen_fds). */
const firstHandedDown = 3;

const socketOf = ({ PORT, LISTEN_FDS }: RunSettings): { port: number } | { fd: number } =>
  LISTEN_FDS === undefined ? { port: PORT } : { fd: firstHandedDown };

function startFailure(error: unknown, settings: RunSettings): string {
  const { HOST, PORT } = settings;
  const { code, message, port = PORT } = error as NodeJS.ErrnoException & { port?: number };
  const setting = extraPorts.find((name) => settings[name] === port) ?? 'PORT';
  if (code === 'EADDRINUSE')
    return `port ${port} on ${HOST} is taken: stop what listens there or set ${setting}`;
  if (code === 'EACCES')
    return `port ${port} on ${HOST} may not be used by this user: set ${setting} above 1023`;
  if (isUnavailable(error)) {
    return `the database does not answer (${message}): start it, or correct DATABASE_URL`;
  }
  return `the service could not start: ${message}`;
}

interface Running {
  readonly service: Service;
  readonly tracing: Tracing | undefined;
  readonly logger: Logger;
  readonly graceSeconds: number;
}

function stopOnSignal(process: NodeJS.Process, { service, tracing, logger, graceSeconds }: Running): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'draining');
    service.drain();
    setTimeout(() => {
      setInterval(() => endIdleConnections(service), idleSweepMs).unref();
      void service
        .close()
        .then(
          () => logger.info('stopped'),
          (error: unknown) => {
            logger.error({ err: error }, 'did not stop cleanly');
            process.exitCode = 1;
          },
        )
        .then(async () => {
          // An unresponsive collector must not keep the process alive.
          if ((await tracing?.stop()) === false) process.exit();
        });
    }, graceSeconds * 1_000);
    // A request that never ends must not keep the process alive for ever.
    setTimeout(() => process.exit(1), (graceSeconds + stopSecondsMax) * 1_000).unref();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** Node.js considers a connection without a request busy, and a closed server has no timeouts. */
function endIdleConnections({ server, requestsUnderWay }: Service): void {
  if (requestsUnderWay() === 0) server.closeAllConnections();
  else server.closeIdleConnections();
}

const extraPorts = ['METRICS_PORT', 'INTERNAL_PORT'] as const;
/** How long running requests may take to finish once the grace has ended. */
export const stopSecondsMax = 15;
/** A connection whose last response was sent before the drain began becomes idle unnoticed. */
const idleSweepMs = 250;
