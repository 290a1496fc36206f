import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import OpenIdProvider from 'oidc-provider';

/** A client as the console's owner registers it. */
interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
}

/** An OpenID provider that is certified as one, with a page of its own. Whoever types an address has it, and any password will do. */
export interface SignInProvider {
  readonly issuer: string;
  /** Knows this client from now on, and no other. */
  register(client: RegisteredClient): void;
  close(): void;
}

/** The name that it gives everybody. */
export const nameThere = 'Grace Hopper';

const page = `<!doctype html>
<html lang="en">
  <head><title>Identity provider</title><link rel="icon" href="data:," /></head>
  <body>
    <h1>Sign in at Acme</h1>
    <form method="post">
      <label>Address at work <input name="address" autofocus /></label>
      <label>Password at work <input name="password" type="password" /></label>
      <button>Go on</button>
    </form>
  </body>
</html>`;

/** Starts one on this machine, which listens until it is closed. */
export async function startSignInProvider(): Promise<SignInProvider> {
  let serving: OpenIdProvider | undefined;
  const server = createServer((request, response) => {
    if (!serving) throw new Error('no client is registered');
    const isPage = request.url?.startsWith('/interaction/') === true;
    void (isPage ? showPage(serving, request, response) : serving.callback()(request, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    register(client) {
      serving = providerFor(issuer, client);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function showPage(
  provider: OpenIdProvider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
    return;
  }
  const form = new URLSearchParams(await text(request));
  await provider.interactionFinished(request, response, { login: { accountId: form.get('address') ?? '' } });
}

function providerFor(
  issuer: string,
  { clientId, clientSecret, redirectUri }: RegisteredClient,
): OpenIdProvider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return new OpenIdProvider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: sub, email_verified: true, name: nameThere }),
    }),
    // The organization has agreed for its people.
    async loadExistingGrant({ oidc: { provider, client, session } }) {
      const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
}
