import { tmpdir } from 'node:os';
import { Type, type Static } from 'typebox';
import { SpoolSpace } from './spool-space.ts';

/** The directory of temporary files, and their maximum size. */
export const spoolSettings = {
  SPOOL_DIRECTORY: Type.Optional(
    Type.String({
      minLength: 1,
      description: "directory for temporary files of imports and exports; by default the system's",
    }),
  ),
  SPOOL_MEGABYTES_MAX: Type.Integer({
    minimum: 256,
    maximum: 1_000_000,
    default: 512,
    description: 'disk space for these files, in MiB; one organization may take a quarter of it',
  }),
} as const;

type SpoolConfig = Readonly<Static<ReturnType<typeof Type.Object<typeof spoolSettings>>>>;

/** The directory of an instance's files. */
export function spoolOf({ SPOOL_DIRECTORY: directory = tmpdir(), SPOOL_MEGABYTES_MAX }: SpoolConfig) {
  const bytesMax = SPOOL_MEGABYTES_MAX * 1024 * 1024;
  return { directory, space: new SpoolSpace({ bytesMax, bytesPerOrganizationMax: bytesMax / 4 }) };
}
