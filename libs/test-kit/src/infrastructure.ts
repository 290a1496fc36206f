import { existsSync } from 'node:fs';

/** What TEST_INFRA forces, if anything. */
export function wantedInfrastructure(environment: NodeJS.ProcessEnv): 'containers' | 'embedded' | undefined {
  const wanted = environment['TEST_INFRA'];
  if (!wanted) return undefined;
  if (wanted === 'containers' || wanted === 'embedded') return wanted;
  throw new Error(`TEST_INFRA is "${wanted}": use containers or embedded.`);
}

/**
 * Whether it is worth asking for a Docker engine: Testcontainers takes half a second to load and look around, not
 * worth it where there is nothing to find.
 */
export function mayHaveDocker(environment: NodeJS.ProcessEnv): boolean {
  const home = environment['HOME'] ?? '';
  const sockets = [
    '/var/run/docker.sock',
    `${home}/.docker/run/docker.sock`,
    `${home}/.colima/default/docker.sock`,
  ];
  return Boolean(environment['DOCKER_HOST']) || sockets.some((path) => existsSync(path));
}
