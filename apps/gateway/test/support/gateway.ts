import type { AddressInfo } from 'node:net';
import type { Service } from '@tenantry/service/http';
import { createLogger } from '@tenantry/service/logging';
import { logMetrics, patience, testLog } from '@tenantry/test-kit';
import { onTestFinished } from 'vitest';
import { buildApp, type GatewayOptions } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';

export interface RunningGateway {
  readonly app: Service;
  readonly port: number;
  readonly url: string;
  readonly logs: () => string;
}

/**
 * The shortest time of a route that a process does not use up by standing still: beyond a second, undici counts turns of its
 * timer, and not what the clock says.
 */
export const shortSeconds = 2;

/** The real gateway on a free port of the loopback. */
export async function startGateway(
  routes: readonly string[],
  settings: Partial<Config> = {},
  options: GatewayOptions = {},
): Promise<RunningGateway> {
  const log = testLog();
  const level = settings.LOG_LEVEL ?? 'trace';
  const logger = createLogger({ name: 'gateway', level, destination: log });
  const config: Config = {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: 0,
    LOG_LEVEL: level,
    TRUST_PROXY: [],
    BODY_TIMEOUT_SECONDS: 60,
    FILE_TIMEOUT_SECONDS: 900,
    SHUTDOWN_GRACE_SECONDS: 0,
    UPSTREAM_TIMEOUT_SECONDS: Math.ceil(patience() / 1_000),
    RATE_LIMIT_PER_MINUTE: 1_000_000,
    KEEP_ALIVE_SECONDS: 72,
    CONNECTIONS_MAX: 10_000,
    CONNECTIONS_PER_ADDRESS_MAX: 1_000,
    TRACE_RATIO: 0.01,
    ...settings,
    ROUTES: [...routes],
  };
  const app = await buildApp(config, logger, {
    turnWaitMsMax: patience(),
    redisAnswerMsMax: patience(),
    // The windows of limits stand still, however long a test takes.
    limitsNow: () => 0,
    ...options,
  });
  logMetrics(app);
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  onTestFinished(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  return { app, port, url: `http://127.0.0.1:${port}`, logs: log.text };
}
