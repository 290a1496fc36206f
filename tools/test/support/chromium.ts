import { existsSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser } from 'playwright-core';

/** A Chromium of this machine: the one that CHROMIUM names, the system's or Playwright's; undefined without any. */
export function findChromium(): string | undefined {
  const places = [
    process.env['CHROMIUM'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    chromium.executablePath(),
  ];
  return places.find((place) => place !== undefined && existsSync(place));
}

/** Pages on a port of their own, and a Chromium that finds them at the origins that they are meant to have. */
export interface Pages {
  readonly browser: Browser;
  close: () => Promise<void>;
}

const folder = new URL('../browser-client/', import.meta.url);
const files: Readonly<Record<string, readonly [name: string, type: string]>> = {
  '/': ['index.html', 'text/html'],
  '/client.js': ['client.js', 'text/javascript'],
  '/attack': ['attack.html', 'text/html'],
};

/** @param origins host and port of each, such as `localhost:5173` */
export async function openPages(executablePath: string, origins: readonly string[]): Promise<Pages> {
  const server = createServer((request, response) => {
    const file = files[new URL(request.url ?? '/', 'http://page').pathname];
    if (!file) return void response.writeHead(404).end();
    response.setHeader('content-type', file[1]).end(readFileSync(new URL(file[0], folder)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const rules = origins.map((origin) => `MAP ${origin} 127.0.0.1:${port}`).join(', ');
  const browser = await chromium.launch({
    executablePath,
    args: [`--host-resolver-rules=${rules}`, '--no-sandbox'],
  });
  return {
    browser,
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
