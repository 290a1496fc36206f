/** What bcrypt allows on these cores: a server whose every answer is one comparison. Started by identity.bench.ts. */
import { createServer } from 'node:http';
import { compare, hash } from 'bcrypt';

const [port, cost] = process.argv.slice(2).map(Number);
const password = 'correct horse battery';
const hashed = await hash(password, cost ?? Number.NaN);

createServer((_request, response) => {
  void compare(password, hashed).then((matches) => response.writeHead(matches ? 200 : 500).end());
}).listen(port, '127.0.0.1');
