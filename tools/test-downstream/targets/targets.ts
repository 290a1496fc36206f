import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the library runs: what a team has there, and how it starts its service. */
export interface Target {
  /** As the table of the README calls it. */
  readonly title: string;
  /** Targets of one project share its folder and its process. */
  readonly project?: string;
  /** The heading of its sample in the README. */
  readonly sample: string;
  /** What is installed beside the library, in these versions. */
  readonly packages: readonly string[];
  /** Changes the sample where the target needs it otherwise. */
  readonly edit?: (code: string) => string;
  /** `commonjs`, or an ES module without it. */
  readonly module?: 'commonjs';
  /** Files that a project of this kind has. */
  readonly files?: Readonly<Record<string, string>>;
  /** What a program is that runs before the start, if it is not the compiler of TypeScript. */
  readonly build?: readonly string[];
  /** What starts it: a program of its node_modules/.bin, or a file for Node.js. */
  readonly start: readonly string[];
  /** Conditions by which a bundler for it resolves packages; otherwise those of Node.js. */
  readonly conditions?: readonly string[];
  /** It is started as one file, bundle.js, of this file and everything that it imports. */
  readonly bundled?: { readonly entry: string; readonly format: 'esm' | 'iife' };
  /** Where the sample's report is. Default: /report. */
  readonly path?: string;
}

/** The versions that the library's own tests use. */
const { devDependencies } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../libs/jwt-verify/package.json'), 'utf8'),
) as { devDependencies: Readonly<Record<string, string>> };
const own = (...names: readonly string[]) => names.map((name) => `${name}@${devDependencies[name] ?? ''}`);
const hostFile = (name: string) => readFileSync(join(import.meta.dirname, `${name}.mjs`), 'utf8');

const compiled = ['dist/service.js'];
const express = own('@types/express');
const nest = [...own('@nestjs/common', '@nestjs/core', 'reflect-metadata', 'rxjs')];

const next: Omit<Target, 'title'> = {
  project: 'Next.js 16',
  sample: 'Next.js',
  packages: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1', '@types/react@19.3.0', 'typescript@6.0.2'],
  files: {
    'app/layout.tsx':
      'export default ({ children }: { children: React.ReactNode }) => <html><body>{children}</body></html>;',
    'app/edge/report/route.ts':
      "export const runtime = 'edge';\nexport { GET, DELETE } from '../../report/route';",
    'app/account/report/route.ts': "export { GET, DELETE } from '../../report/route';",
    'app/account/open/route.ts': "export const GET = () => new Response('behind the middleware');",
  },
  build: ['next', 'build'],
  start: ['next', 'start'],
};

const web = { sample: 'Request and Response' } as const;

/** In the order of the table. */
export const targets: readonly Target[] = [
  { title: 'Fastify 5', sample: 'Fastify', packages: own('fastify'), start: compiled },
  { title: 'Fastify 4', sample: 'Fastify', packages: ['fastify@4.29.1'], start: compiled },
  { title: 'Express 5', sample: 'Express', packages: [...own('express'), ...express], start: compiled },
  {
    title: 'Express 4',
    sample: 'Express',
    packages: ['express@4.22.3', '@types/express@4.17.25'],
    start: compiled,
  },
  {
    title: 'Express, module: commonjs',
    sample: 'Express',
    packages: [...own('express'), ...express],
    module: 'commonjs',
    // A module of CommonJS cannot wait at its top; until keys are known, tokens are 503.
    edit: (code) => code.replace('await verifier.ready();\n', ''),
    start: compiled,
  },
  { title: 'node:http', sample: 'node:http', packages: [], start: compiled },
  { title: 'Hono', sample: 'Hono', packages: own('hono', '@hono/node-server'), start: compiled },
  {
    title: 'Nest on Express',
    sample: 'Nest',
    packages: [...nest, ...own('@nestjs/platform-express'), ...express],
    start: compiled,
  },
  {
    title: 'Nest on Fastify',
    sample: 'Nest',
    packages: [...nest, ...own('@nestjs/platform-fastify')],
    edit: (code) =>
      `import { FastifyAdapter } from '@nestjs/platform-fastify';\n${code}`.replace(
        'NestFactory.create(AppModule)',
        'NestFactory.create(AppModule, new FastifyAdapter())',
      ),
    start: compiled,
  },
  { ...next, title: 'Next.js 16, route' },
  { ...next, title: 'Next.js 16, edge route', path: '/edge/report', conditions: ['edge-light'] },
  { ...next, title: 'Next.js 16, middleware', path: '/account/report', conditions: ['edge-light'] },
  {
    ...web,
    title: 'edge-runtime 4',
    packages: ['edge-runtime@4.0.1'],
    files: {
      'host.mjs': hostFile('edge-runtime'),
      'entry.mjs':
        "import service from './dist/service.js';\naddEventListener('fetch', (event) => event.respondWith(service.fetch(event.request)));",
    },
    bundled: { entry: 'entry.mjs', format: 'iife' },
    start: ['host.mjs'],
    conditions: ['edge-light'],
  },
  {
    ...web,
    title: 'Workers (workerd)',
    packages: ['miniflare@4.20260730.0'],
    files: { 'host.mjs': hostFile('workerd') },
    bundled: { entry: 'dist/service.js', format: 'esm' },
    start: ['host.mjs'],
    conditions: ['workerd'],
  },
  {
    ...web,
    title: 'Deno 2',
    packages: ['deno@2.9.6'],
    start: ['deno', 'serve', '--allow-all', '--port={port}', 'dist/service.js'],
    conditions: ['deno'],
  },
  { ...web, title: 'Bun 1', packages: ['bun@1.4.5'], start: ['bun', 'dist/service.js'] },
];
