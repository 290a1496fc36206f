import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};

export interface ConsoleServer {
  readonly origin: string;
  close: () => void;
}

/** Answers a build of the console in brotli, as the gateway does, and what the API says. */
export async function serveBuild(
  directory: string,
  answers: Readonly<Record<string, () => object>>,
): Promise<ConsoleServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://console.test');
    const data = answers[pathname]?.();
    if (data) return void response.setHeader('content-type', 'application/json').end(JSON.stringify(data));
    const asked = join(directory, pathname);
    const path = extname(pathname) !== '' ? asked : join(directory, 'index.html');
    const compressed = `${path}.br`;
    response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream');
    // A picture that is used twice is asked for once.
    if (extname(path) === '.svg') response.setHeader('cache-control', 'max-age=60');
    if (existsSync(compressed)) response.setHeader('content-encoding', 'br');
    const found = existsSync(compressed) ? compressed : path;
    readFile(found).then(
      (content) => response.end(content),
      () => response.writeHead(404).end(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
