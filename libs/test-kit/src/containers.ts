import { existsSync } from 'node:fs';

/** A container image that a run uses. */
export interface ContainerImage {
  /** As `postgres:18`. */
  readonly image: string;
  /** What is used instead, such as `the PostgreSQL of npm`. */
  readonly otherwise: string;
}

/**
 * Starts a container if TEST_INFRA says so, or if a Docker engine responds that has its image. Without TEST_INFRA, an image that
 * would have to be pulled is not waited for, since there may be no registry: the run says how to use it.
 *
 * @returns undefined if something else is to be used
 * @throws when TEST_INFRA=containers and no Docker engine responds, or the image can be neither found nor pulled
 */
export async function startContainer<Started>(
  { image, otherwise }: ContainerImage,
  start: () => Promise<Started>,
  environment: NodeJS.ProcessEnv,
): Promise<Started | undefined> {
  const wanted = wantedInfrastructure(environment);
  if (wanted === 'embedded' || (wanted === undefined && !mayHaveDocker(environment))) return undefined;
  // The engine's reaper is one more image, which cannot be pulled everywhere; stop() cleans up instead.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true';
  if (wanted === 'containers') {
    if (!(await hasImage(image))) say(`Pulling ${image}, because TEST_INFRA=containers asks for it …`);
    return start();
  }
  const isPresent = await hasImage(image).catch(() => undefined);
  if (isPresent === false) {
    const how = `Pull it (docker pull ${image}) for a container, or set TEST_INFRA=embedded.`;
    say(`The Docker engine has no image ${image} yet: ${otherwise} is used. ${how}`);
  }
  if (!isPresent) return undefined;
  try {
    return await start();
  } catch (error) {
    say(`No container of ${image} comes up (${(error as Error).message}): ${otherwise} is used.`);
    return undefined;
  }
}

/** What TEST_INFRA forces, if anything. */
function wantedInfrastructure(environment: NodeJS.ProcessEnv): 'containers' | 'embedded' | undefined {
  const wanted = environment['TEST_INFRA'];
  if (!wanted) return undefined;
  if (wanted === 'containers' || wanted === 'embedded') return wanted;
  throw new Error(`TEST_INFRA is "${wanted}": use containers or embedded.`);
}

/** Testcontainers takes half a second to load and look around, which is wasted if there is nothing to find. */
function mayHaveDocker(environment: NodeJS.ProcessEnv): boolean {
  const home = environment['HOME'] ?? '';
  const sockets = [
    '/var/run/docker.sock',
    `${home}/.docker/run/docker.sock`,
    `${home}/.colima/default/docker.sock`,
  ];
  return Boolean(environment['DOCKER_HOST']) || sockets.some((path) => existsSync(path));
}

/** @throws when no engine responds */
async function hasImage(image: string): Promise<boolean> {
  const { getContainerRuntimeClient, ImageName } = await import('testcontainers');
  const client = await getContainerRuntimeClient();
  return client.image.exists(ImageName.fromString(image));
}

const say = (sentence: string): boolean => process.stderr.write(`${sentence}\n`);
