import { join } from 'node:path';
import { build } from 'vite';
import { expect, it } from 'vitest';

it('runs in a browser: what is bundled of it asks for nothing of Node', async () => {
  const result = await build({
    root: join(import.meta.dirname, '..'),
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['@tenantry/source', 'browser'] },
    build: { write: false, lib: { entry: 'src/index.ts', formats: ['es'], fileName: 'text' } },
  });
  const [bundle] = result as { output: { code: string; imports: string[] }[] }[];
  expect(bundle?.output.flatMap(({ imports }) => imports)).toEqual([]);
  const code = bundle?.output[0]?.code ?? '';
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  const { readEmail } = (await import(/* @vite-ignore */ url)) as typeof import('@tenantry/text');
  expect(readEmail('max@müller-dach.example')).toBe('max@xn--mller-dach-9db.example');
  expect(code).not.toMatch(/\b(process|Buffer|require)\b[.(]/);
});
