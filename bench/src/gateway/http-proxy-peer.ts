/** @fastify/http-proxy as its README has it, with undici's pool underneath. */
import httpProxy from '@fastify/http-proxy';
import fastify from 'fastify';

const app = fastify();
await app.register(httpProxy, {
  upstream: process.env['SERVICE'] ?? '',
  prefix: '/api/leads',
  rewritePrefix: '/api/leads',
  undici: { connections: 256, pipelining: 1 },
});
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
process.on('SIGTERM', () => process.exit());
