/** Takes spans as a collector does; `GET /exports?from=12` answers once it has taken so many exports of them. */
import { createServer, type ServerResponse } from 'node:http';

let exports = 0;
let waiting: { readonly from: number; readonly response: ServerResponse }[] = [];

const server = createServer((request, response) => {
  const { method, url = '' } = request;
  if (method === 'GET') {
    waiting.push({ from: Number(url.split('from=')[1] ?? 0), response });
    answerWaiting();
    return;
  }
  request.resume().once('end', () => {
    response.end('{}');
    exports += 1;
    answerWaiting();
  });
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit());

function answerWaiting(): void {
  for (const { from, response } of waiting) if (exports >= from) response.end(String(exports));
  waiting = waiting.filter(({ from }) => exports < from);
}
