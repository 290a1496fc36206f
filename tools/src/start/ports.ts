import { ExplainedError, freePort, portObstacle } from '@tenantry/dev-database';
import type { ServiceDescription } from '../services.ts';

/**
 * Chooses where each service listens. Nobody addresses the services behind the gateway, so a taken standard port
 * is replaced by a free one; the gateway's own is what people type, so there they decide.
 *
 * @throws ExplainedError when the gateway's port cannot be used.
 */
export async function choosePorts(
  services: readonly ServiceDescription[],
  requested: string | undefined,
): Promise<ReadonlyMap<string, number>> {
  const ports = new Map<string, number>();
  for (const service of services) {
    const port =
      service.prefix === undefined ? await gatewayPort(service, requested) : await innerPort(service);
    ports.set(service.name, port);
  }
  return ports;
}

async function gatewayPort(gateway: ServiceDescription, requested: string | undefined): Promise<number> {
  const port = requested === undefined || requested === '' ? gateway.port : Number(requested);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new ExplainedError(`PORT is "${requested}" and must be a number from 0 to 65535.`);
  }
  if (port === 0) return freePort();
  const obstacle = await portObstacle(port);
  if (obstacle === undefined) return port;
  const reason = obstacle === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${obstacle})`;
  throw new ExplainedError(`Port ${port} ${reason}: choose another one, for example PORT=8081 npm start.`);
}

async function innerPort({ port }: ServiceDescription): Promise<number> {
  return (await portObstacle(port)) === undefined ? port : freePort();
}
