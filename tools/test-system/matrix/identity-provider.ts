import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** As it is configured. */
export const providerName = 'matrix';
/** Of every sign-in at it: what a client without cookies proves that it began with. */
export const codeVerifier = 'matrix'.repeat(8);

/** An OpenID Connect provider on this machine. */
export interface IdentityProvider {
  readonly issuer: string;
  close(): void;
}

/** What a code represents: the provider is stateless, so that another process can make one. */
interface Grant {
  readonly nonce: string | null;
  readonly aud: string | null;
  readonly sub: string;
  readonly email: string;
}

/** Its user, with an address, agrees at the address to which a browser is sent. @returns what the browser comes back with */
export function agreeAt(url: string, email = `${randomUUID()}@people.example`): URLSearchParams {
  const query = new URL(url).searchParams;
  const grant: Grant = {
    nonce: query.get('nonce'),
    aud: query.get('client_id'),
    sub: randomUUID(),
    email,
  };
  const code = Buffer.from(JSON.stringify(grant)).toString('base64url');
  return new URLSearchParams({ code, state: query.get('state') ?? '' });
}

/** Starts the provider. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  let issuer = '';

  function tokensFor(code: string): object {
    const grant = JSON.parse(Buffer.from(code, 'base64url').toString()) as Grant;
    const iat = Math.floor(Date.now() / 1_000);
    const signed = `${encode({ alg: 'RS256', kid: 'k' })}.${encode({ ...grant, iss: issuer, iat, exp: iat + 300 })}`;
    const signature = sign('sha256', Buffer.from(signed), privateKey).toString('base64url');
    return { access_token: randomUUID(), token_type: 'bearer', id_token: `${signed}.${signature}` };
  }

  const server = createServer((request, response) => {
    void (async () => {
      const form = new URLSearchParams(await text(request));
      const answers: Readonly<Record<string, () => object>> = {
        '/.well-known/openid-configuration': () => ({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
        }),
        '/jwks': () => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256' }] }),
        '/token': () => tokensFor(form.get('code') ?? ''),
      };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answers[request.url ?? '']?.() ?? {}));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
