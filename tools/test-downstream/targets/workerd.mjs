import { readFileSync } from 'node:fs';
import { Miniflare } from 'miniflare';

const { AUTH_URL, REVOCATIONS_URL, PORT } = process.env;
const worker = new Miniflare({
  modules: true,
  script: readFileSync('bundle.js', 'utf8'),
  compatibilityDate: '2026-04-01',
  compatibilityFlags: ['nodejs_compat'],
  bindings: { AUTH_URL, REVOCATIONS_URL },
  host: '127.0.0.1',
  port: Number(PORT),
});
await worker.ready;
