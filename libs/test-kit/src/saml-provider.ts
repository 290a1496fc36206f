import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as samlp from 'samlp';
import { selfSigned, type SelfSigned } from './certificates.ts';

/** Somebody who is signed in at a {@link SamlProvider}. */
export interface SamlVisitor {
  readonly nameId: string;
  readonly nameIdFormat?: string;
  /** Values by name. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly contextClass?: string;
}

/** An AuthnRequest as it arrived. */
export interface SamlRequest {
  readonly id?: string;
  readonly issuer?: string;
  readonly destination?: string;
  readonly assertionConsumerServiceURL?: string;
  readonly forceAuthn?: string;
}

/** A page that posts a response by itself, as a browser shows it. */
export interface PostedResponse {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A SAML identity provider on this machine: the middleware of Auth0 (`samlp`), which signs in whoever visits. */
export class SamlProvider {
  readonly address: string;
  /** How it names itself. */
  readonly entityId: string;
  visitor: SamlVisitor | undefined;
  /** The certificate with which it signs. */
  signer: SelfSigned;
  /** What it signs with otherwise than by default, which is the assertion alone. */
  options: Readonly<Record<string, unknown>> = {};
  readonly requests: SamlRequest[] = [];

  private constructor(address: string, signer: SelfSigned) {
    this.address = address;
    this.entityId = `${address}/entity`;
    this.signer = signer;
  }

  /** Listens until `until` says so. */
  static async listen(
    until: (end: () => void) => void,
    signer = selfSigned({ name: 'samlp.example' }),
  ): Promise<SamlProvider> {
    const server = createServer({ keepAliveTimeout: 0 });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    until(() => {
      server.closeAllConnections();
      server.close();
    });
    const provider = new SamlProvider(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, signer);
    server.on('request', (request, response) => {
      provider.#answer(request, response);
    });
    return provider;
  }

  get ssoUrl(): string {
    return `${this.address}/sso`;
  }

  /** The address of its metadata. */
  get metadataUrl(): string {
    return `${this.address}${metadataPath}`;
  }

  /** Its page with a tile for a service, which posts to it unasked. */
  tilesFor(acsUrl: string): string {
    return `${this.address}/tiles?${new URLSearchParams({ acs: acsUrl }).toString()}`;
  }

  /** Sends the visitor's browser to it. @returns the page that it answers with */
  async visit(url: string): Promise<PostedResponse> {
    const answer = await fetch(url);
    const page = await answer.text();
    const action = attributeIn(/<form[^>]*action="([^"]*)"/i.exec(page)?.[1]);
    const inputs = page.matchAll(/<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"/gi);
    const pairs = [...inputs].map(([, name = '', value]) => [name, attributeIn(value)] as const);
    const fields = Object.fromEntries(pairs);
    if (action === '') throw new Error(`it answered ${answer.status}: ${page}`);
    return { action, fields };
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.address);
    if (url.pathname === '/tiles') {
      response.setHeader('content-type', 'text/html; charset=utf-8');
      response.end(pageOfTile(url.searchParams.get('acs') ?? ''));
      return;
    }
    const query = Object.fromEntries(url.searchParams);
    const asked = Object.assign(request, { query, originalUrl: url.pathname, protocol: 'http' });
    const answering = Object.assign(response, {
      set: (name: string, value: string) => response.setHeader(name, value),
      send: (body: unknown) => response.end(String(body)),
    });
    const failed = (failure: unknown) => response.writeHead(500).end(String(failure));
    if (url.pathname === metadataPath) this.#metadata()(asked, answering, failed);
    else {
      samlp.parseRequest(asked, {}, (failure, read) => {
        if (!read) {
          failed(failure ?? 'no request');
          return;
        }
        this.requests.push(read);
        this.#sso(read)(asked, answering, failed);
      });
    }
  }

  #sso({ assertionConsumerServiceURL: acs = '' }: SamlRequest) {
    const { visitor } = this;
    return samlp.auth({
      ...this.#signing(),
      // As SAML profiles, 4.1.4.2, has it; the middleware leaves it to whoever uses it.
      destination: acs,
      recipient: acs,
      getUserFromRequest: () => visitor,
      getPostURL: (_audience, _request, _asked, callback) => callback(null, acs),
      profileMapper: (person: SamlVisitor) => ({
        getClaims: () => person.attributes ?? {},
        getNameIdentifier: () => ({
          nameIdentifier: person.nameId,
          nameIdentifierFormat: person.nameIdFormat,
        }),
      }),
      ...(visitor?.contextClass === undefined ? {} : { authnContextClassRef: visitor.contextClass }),
      ...this.options,
    });
  }

  #metadata() {
    return samlp.metadata({ ...this.#signing(), redirectEndpointPath: '/sso', postEndpointPath: '/sso' });
  }

  #signing() {
    return { issuer: this.entityId, cert: this.signer.certificate, key: this.signer.privateKey };
  }
}

const pageOfTile = (acs: string): string => `<!doctype html><html lang="en"><title>Tiles</title>
  <link rel="icon" href="data:," />
  <form method="post" action="${acs}"><input type="hidden" name="SAMLResponse" value="PGEvPg==" />
    <button>Tenantry</button></form></html>`;

const metadataPath = '/FederationMetadata/2007-06/FederationMetadata.xml';

/** HTML as its attributes have it. */
const attributeIn = (text = ''): string =>
  text
    .replaceAll(/&#x([0-9a-f]+);/gi, (_all, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
