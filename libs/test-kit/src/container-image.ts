/** What a run is told of a container image. */
export interface ImageNeeds {
  /** As `postgres:18`. */
  readonly image: string;
  /** What takes its place, such as `the PostgreSQL of npm`. */
  readonly otherwise: string;
}

/**
 * Whether the Docker engine has an image on this machine. One that it would have to pull first is not waited for, since there may
 * be no registry to be reached: the run says so, and how to have it otherwise.
 *
 * @throws when no Docker engine answers
 */
export async function hasImage({ image, otherwise }: ImageNeeds): Promise<boolean> {
  const { getContainerRuntimeClient, ImageName } = await import('testcontainers');
  const client = await getContainerRuntimeClient();
  if (await client.image.exists(ImageName.fromString(image))) return true;
  process.stderr.write(
    `The Docker engine has no image ${image} yet: ${otherwise} is used. Pull it (docker pull ${image}) for a container, or set TEST_INFRA=embedded.\n`,
  );
  return false;
}

/** Says that an image is pulled, where that is going to take its time. */
export async function announcePull(image: string): Promise<void> {
  const { getContainerRuntimeClient, ImageName } = await import('testcontainers');
  const client = await getContainerRuntimeClient();
  if (await client.image.exists(ImageName.fromString(image))) return;
  process.stderr.write(`Pulling ${image}, because TEST_INFRA=containers asks for it …\n`);
}
