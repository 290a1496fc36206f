/** Takes spans as a collector does; `GET /spans?from=1024` answers once it has taken as many. */
import { createServer, type ServerResponse } from 'node:http';

let spans = 0;
let waiting: { readonly from: number; readonly response: ServerResponse }[] = [];

const server = createServer(({ method, url = '' }, response) => {
  response.setHeader('content-type', 'application/json');
  if (method === 'GET') waiting.push({ from: Number(url.split('from=')[1] ?? 0), response });
  else response.end('{}');
  answerWaiting();
});
server.on('request', (request) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    spans += Buffer.concat(pieces).toString('latin1').split('"spanId":').length - 1;
    answerWaiting();
  });
});
server.listen(Number(process.env['PORT']), '127.0.0.1');
process.once('SIGTERM', () => process.exit());

function answerWaiting(): void {
  for (const { from, response } of waiting) if (spans >= from) response.end(String(spans));
  waiting = waiting.filter(({ from }) => spans < from);
}
