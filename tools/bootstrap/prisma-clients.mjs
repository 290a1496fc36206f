import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withLock } from './lock.mjs';
import { Obstacle } from './obstacle.mjs';
import { pinnedNode, readJson, servicesWithSchema, workspaceRoot } from './workspace.mjs';

const stampPath = 'node_modules/.cache/tenantry/prisma-clients.json';

/** No daemon that outlives it, and no process for each of its plugins. */
const nxAlone = { NX_DAEMON: 'false', NX_ISOLATE_PLUGINS: 'false', NX_TUI: 'false' };

/** Generates the Prisma clients whose schema changed since; costs milliseconds when none did. */
export async function generateClients() {
  if (isCurrent()) return;
  await withLock('generate', async () => {
    if (isCurrent()) return;
    console.error('Generating the database clients …');
    const generated = spawnSync(
      pinnedNode,
      [
        join(workspaceRoot, 'node_modules/nx/dist/bin/nx.js'),
        'run-many',
        '-t',
        'prisma:generate',
        '--outputStyle=static',
      ],
      { cwd: workspaceRoot, encoding: 'utf8', env: { ...process.env, ...nxAlone } },
    );
    if (generated.status !== 0) {
      throw new Obstacle(
        `${generated.stdout}${generated.stderr}\nThe database clients could not be generated: see above.`,
      );
    }
    const without = Object.keys(fingerprints()).filter((service) => !hasClient(service));
    if (without.length > 0) {
      throw new Obstacle(
        `${without.join(', ')}: package.json needs "nx": { "targets": { "prisma:generate": {} } }.`,
      );
    }
    const path = join(workspaceRoot, stampPath);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(fingerprints()));
  });
}

function isCurrent() {
  const stamp = readJson(stampPath) ?? {};
  return Object.entries(fingerprints()).every(
    ([service, print]) => stamp[service] === print && hasClient(service),
  );
}

const hasClient = (service) => existsSync(join(workspaceRoot, service, 'src/generated/prisma/client.ts'));

/** Contents, not times: a checkout of another branch gives files any time. */
function fingerprints() {
  const version = readJson('node_modules/prisma/package.json')?.version;
  return Object.fromEntries(servicesWithSchema().map((service) => [service, fingerprint(service, version)]));
}

function fingerprint(service, version) {
  const hash = createHash('sha256').update(String(version));
  for (const file of ['prisma/schema.prisma', 'prisma.config.ts']) {
    const path = join(workspaceRoot, service, file);
    hash.update(existsSync(path) ? readFileSync(path) : '');
  }
  return hash.digest('hex');
}
