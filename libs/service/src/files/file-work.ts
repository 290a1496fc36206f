import { access, constants } from 'node:fs/promises';
import { measureShares } from '../metrics/share-metrics.ts';
import type { BackgroundWork } from '../work/background.ts';
import type { FileTurns } from './file-turns.ts';
import type { SpoolSpace } from './spool-space.ts';

/** Prevents the start if temporary files cannot be stored, and measures them. */
export function fileWork(
  { directory, space }: { readonly directory: string; readonly space: SpoolSpace },
  { work, uploads }: FileTurns,
): BackgroundWork {
  return {
    start: () => access(directory, constants.W_OK),
    close: async () => undefined,
    measurements: [
      ...[work, uploads].flatMap(({ shares }) => shares.flatMap(measureShares)),
      {
        name: 'tenantry_spool_bytes',
        help: 'Disk space that files on their way in or out take up',
        type: 'gauge',
        read: () => [{ value: space.bytes }],
      },
    ],
  };
}
