import { workspaceRoot } from '@tenantry/dev-database';
import { describe, expect, it } from 'vitest';
import { bundleable } from '../src/bundle/contents.ts';
import { docker, filesOf, inspect } from './support/docker.ts';

const megabyte = 1_000_000;
/** quotation-service has fonts for the writing of customers, some 30 MB of them. */
const megabytesMax = (name: string): number => (name === 'quotation-service' ? 210 : 170);

describe.each(bundleable(workspaceRoot))('the image of %s', (name) => {
  const image = `tenantry/${name}`;

  it('holds Node, the libraries it loads and the bundle, and nothing else', async () => {
    const files = await filesOf(image);

    const node =
      /^(usr\/local\/bin\/node$|(usr\/)?lib(64)?\/[^ ]*(lib(c|dl|gcc_s|m|pthread|stdc\+\+|atomic)|ld-linux-[\w-]+)\.so(\.\d+)+$)/;
    const home = `app/apps/${name}`;
    const own = [
      'app/healthcheck.js',
      `${home}/package.json`,
      `${home}/dist/`,
      ...(name === 'migrate' ? ['app/apps/'] : [`${home}/prisma/migrations/`]),
      ...(name === 'gateway' ? ['app/apps/console/dist/'] : []),
    ];
    const packages: Record<string, string[]> = {
      gateway: ['@fastify/swagger-ui'],
      'auth-service': ['bcrypt', 'node-addon-api', 'node-gyp-build'],
      'quotation-service': ['@fontsource-variable/noto-sans-arabic', 'dejavu-fonts-ttf', 'piscina'],
      migrate: ['@prisma/schema-engine-wasm'],
    };
    const unexpected = files.filter(
      (path) =>
        !node.test(path) &&
        !own.some((prefix) => path.startsWith(prefix)) &&
        !path.startsWith('app/node_modules/'),
    );
    expect(unexpected).toEqual([]);
    expect(files).toContain(`${home}/dist/main.js`);
    expect(files.filter((path) => path.startsWith(`${home}/dist/`) && path.endsWith('.ts'))).toEqual([]);
    expect(files.includes('app/apps/console/dist/index.html')).toBe(name === 'gateway');
    for (const wanted of packages[name] ?? [])
      expect(files).toContain(`app/node_modules/${wanted}/package.json`);
    if (packages[name] === undefined)
      expect(files.filter((path) => path.includes('node_modules'))).toEqual([]);
    expect(
      files.filter((path) =>
        /node_modules\/(prisma|@prisma\/(engines|dev)|vitest|typescript|@tenantry)\//.test(path),
      ),
    ).toEqual([]);
  });

  it(`runs as an unprivileged user, has a health check, and is at most ${megabytesMax(name)} MB`, async () => {
    const { Config, Size } = await inspect(image);

    expect(Config.User).toBe('65532:65532');
    expect(Config.Healthcheck.Test).toEqual(['CMD', 'node', '/app/healthcheck.js', 'live']);
    expect(Config.Labels['org.opencontainers.image.revision']).toMatch(/./);
    expect(Config.Env.filter((variable) => /SECRET|PASSWORD|KEY|_URL/.test(variable))).toEqual([]);
    expect(Size).toBeLessThan(megabytesMax(name) * megabyte);
    console.log(`${image}: ${(Size / megabyte).toFixed(0)} MB`);
  });
});

it('an image has no shell', async () => {
  await expect(docker('run', '--rm', '--entrypoint=sh', 'tenantry/gateway', '-c', 'true')).rejects.toThrow(
    /not found/,
  );
});
