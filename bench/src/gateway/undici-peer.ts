/** The leanest proxy on undici: `dispatch` straight into the raw response, no duties of a gateway at all. */
import fastify from 'fastify';
import { Pool } from 'undici';

const pool = new Pool(process.env['SERVICE'] ?? '', { connections: 256, pipelining: 1 });
const app = fastify();
app.get('/api/leads', (request, reply) => {
  reply.hijack();
  const response = reply.raw;
  pool.dispatch(
    { path: request.url, method: 'GET', body: null },
    {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, status, headers) => {
        delete headers['connection'];
        delete headers['keep-alive'];
        response.writeHead(status, headers);
      },
      onResponseData: (controller, piece) => {
        if (response.write(piece)) return;
        controller.pause();
        response.once('drain', () => controller.resume());
      },
      onResponseEnd: () => response.end(),
      onResponseError: (_controller, error) => response.destroy(error),
    },
  );
});
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
process.on('SIGTERM', () => process.exit());
