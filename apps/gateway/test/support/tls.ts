import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { onTestFinished } from 'vitest';

const file = (name: string) => readFileSync(new URL(`tls/${name}`, import.meta.url), 'utf8');

/** A service that speaks TLS with a certificate of its own making, for the name `localhost` alone. */
export async function startTlsUpstream(answer: RequestListener): Promise<{ port: number }> {
  const key = file('localhost.key.pem');
  const server = createHttpsServer({ key, cert: file('localhost.cert.pem') }, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port };
}

/** Adds the certificate to those this process trusts, as NODE_EXTRA_CA_CERTS would. */
export function trustTlsUpstream(): void {
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, file('localhost.cert.pem')]);
  onTestFinished(() => {
    setDefaultCACertificates(trusted);
  });
}
