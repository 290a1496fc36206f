import { randomUUID } from 'node:crypto';
import type { PostedResponse, SamlProvider, SamlVisitor } from '@tenantry/test-kit';
import type { Browser } from './browser.ts';
import {
  beginSso,
  connectionsOf,
  newDomain,
  ownedCompany,
  redeemSso,
  verifyDomain,
  type ConnectedCompany,
} from './connections.ts';
import type { Answer } from './client.ts';
import type { RunningService } from './service.ts';
import { fragmentOf } from './social.ts';

/** Founds a company with a verified domain and a connection of SAML that is on. */
export async function samlCompany(service: RunningService, saml: object): Promise<ConnectedCompany> {
  const company = await ownedCompany(service);
  const domain = newDomain();
  await verifyDomain(service, company, domain);
  const connections = connectionsOf(service, company);
  const { id } = await connections.create('saml');
  const { status, body } = await connections.change(id, { saml, enabled: true });
  if (status !== 200) throw new Error(`it answered ${status}: ${JSON.stringify(body)}`);
  return { ...company, domain, connection: body.connection };
}

/** Somebody at an IdP of SAML. */
export function samlVisitor(
  domain: string,
  changes: Partial<SamlVisitor> = {},
): SamlVisitor & { email: string } {
  const id = randomUUID();
  const email = `p${id.slice(0, 8)}@${domain}`;
  return {
    email,
    nameId: id,
    nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    attributes: {
      'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress': email,
      'http://schemas.microsoft.com/identity/claims/displayname': 'Ada Lovelace',
    },
    ...changes,
  };
}

const fromIdp = {
  'content-type': 'application/x-www-form-urlencoded',
  origin: 'https://idp.example',
  'sec-fetch-site': 'cross-site',
};

/** What the address of responses answers to a form. */
export interface Arrival {
  readonly status: number;
  /** The page that it leads to, without its fragment. */
  readonly page: string | undefined;
  readonly fragment: Record<string, string>;
  readonly body: string;
}

/** Posts a form of another site. */
export async function postForm(
  { app }: Pick<RunningService, 'app'>,
  { action, fields }: PostedResponse,
  from: { readonly remoteAddress?: string } = {},
): Promise<Arrival> {
  const payload = new URLSearchParams(fields).toString();
  const { pathname } = new URL(action);
  const answer = await app.inject({ method: 'POST', url: pathname, headers: fromIdp, payload, ...from });
  const { location } = answer.headers;
  const leads = location === undefined ? undefined : new URL(location);
  return {
    status: answer.statusCode,
    page: leads && `${leads.origin}${leads.pathname}${leads.search}`,
    fragment: leads ? fragmentOf(leads) : {},
    body: answer.body,
  };
}

/** The way to an IdP of SAML and back. @returns what was posted, and what it led to */
export async function visitSaml(
  service: Pick<RunningService, 'app'>,
  {
    company,
    idp,
    visitor,
    browser,
  }: {
    readonly company: ConnectedCompany;
    readonly idp: SamlProvider;
    readonly visitor: SamlVisitor;
    readonly browser: Browser;
  },
): Promise<Arrival & { readonly posted: PostedResponse }> {
  const url = await beginSso(browser, { slug: company.slug });
  idp.visitor = visitor;
  const posted = await idp.visit(url);
  return { ...(await postForm(service, posted)), posted };
}

/** Signs in at an IdP of SAML, from beginning to end. */
export async function samlSignIn(
  service: Pick<RunningService, 'app'>,
  walk: Parameters<typeof visitSaml>[1],
): Promise<Answer> {
  const { fragment, status, body } = await visitSaml(service, walk);
  const { ticket } = fragment;
  if (ticket === undefined) throw new Error(`no ticket: ${status} ${JSON.stringify(fragment)} ${body}`);
  return redeemSso(walk.browser, ticket);
}
