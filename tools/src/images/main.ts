import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { workspaceRoot } from '@tenantry/dev-database';
import { bundleable } from '../bundle/contents.ts';

/** What the images and docker-compose.yml begin from. */
const baseImages = ['node:24-bookworm-slim', 'postgres:18', 'redis:8'];

/** Builds every image and tests the images, one by one and as docker-compose.yml puts them together. */
function testImages(): boolean {
  const missing = whatIsMissing();
  if (missing !== undefined) {
    const required = process.argv.includes('--required');
    console.log(
      `${required ? 'Failed' : 'Skipped'}: ${missing}, so the images are neither built nor tested.`,
    );
    return !required;
  }
  const revision = process.env['REVISION'] ?? 'unknown';
  for (const name of bundleable(workspaceRoot)) {
    console.log(`Building tenantry/${name}`);
    const args = ['build', '--quiet', '--network=host', '--file=infra/docker/Dockerfile'];
    const named = [
      `--build-arg=APP=${name}`,
      `--build-arg=REVISION=${revision}`,
      `--tag=tenantry/${name}`,
      '.',
    ];
    if (!succeeds('docker', [...args, ...named])) return false;
  }
  const vitest = join(workspaceRoot, 'node_modules/vitest/vitest.mjs');
  const config = join(workspaceRoot, 'tools/vitest.images.config.mjs');
  return succeeds(process.execPath, [vitest, 'run', '--config', config]);
}

function whatIsMissing(): string | undefined {
  if (!succeeds('docker', ['version'], 'ignore')) return 'no Docker engine answers';
  const absent = baseImages.find(
    (image) =>
      !succeeds('docker', ['image', 'inspect', image], 'ignore') &&
      !succeeds('docker', ['pull', '--quiet', image], 'ignore'),
  );
  return absent && `the image ${absent} can be neither found nor pulled`;
}

function succeeds(
  command: string,
  args: readonly string[],
  stdio: 'inherit' | 'ignore' = 'inherit',
): boolean {
  return spawnSync(command, args, { cwd: workspaceRoot, stdio }).status === 0;
}

process.exitCode = testImages() ? 0 : 1;
// The channel to the bootstrap would keep this process for ever.
if (process.connected) process.disconnect();
