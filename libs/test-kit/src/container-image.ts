/** A container image that a run uses. */
export interface ImageNeeds {
  /** As `postgres:18`. */
  readonly image: string;
  /** What takes its place, such as `the PostgreSQL of npm`. */
  readonly otherwise: string;
}

/**
 * Starts a container where a Docker engine answers that has its image. One that would have to be pulled first is not waited for,
 * since there may be no registry to be reached: the run says so, and how to have it otherwise.
 *
 * @returns undefined where something else is to be used
 */
export async function startIfPresent<Started>(
  { image, otherwise }: ImageNeeds,
  start: () => Promise<Started>,
): Promise<Started | undefined> {
  const { getContainerRuntimeClient, ImageName } = await import('testcontainers');
  try {
    const client = await getContainerRuntimeClient();
    if (!(await client.image.exists(ImageName.fromString(image)))) {
      const how = `Pull it (docker pull ${image}) for a container, or set TEST_INFRA=embedded.`;
      say(`The Docker engine has no image ${image} yet: ${otherwise} is used. ${how}`);
      return undefined;
    }
  } catch {
    // No engine behind the socket.
    return undefined;
  }
  try {
    return await start();
  } catch (error) {
    say(`No container of ${image} comes up (${(error as Error).message}): ${otherwise} is used.`);
    return undefined;
  }
}

const say = (sentence: string): boolean => process.stderr.write(`${sentence}\n`);

/** Says that an image is pulled, where that is going to take its time. */
export async function announcePull(image: string): Promise<void> {
  const { getContainerRuntimeClient, ImageName } = await import('testcontainers');
  const client = await getContainerRuntimeClient();
  if (await client.image.exists(ImageName.fromString(image))) return;
  say(`Pulling ${image}, because TEST_INFRA=containers asks for it …`);
}
