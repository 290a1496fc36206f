import { randomUUID } from 'node:crypto';
import { Browser } from './browser.ts';
import { password, type Answer, type AnswerBody } from './client.ts';
import { ask, foundCompany, switchTo, type AnswerOf, type Company } from './organizations.ts';
import type { RealProvider } from './real-provider.ts';
import type { RunningService } from './service.ts';
import { fragmentOf, page } from './social.ts';
import type { StandInProvider } from './stand-in-provider.ts';

/** A connection as it is answered. */
export interface ConnectionBody {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly issuer: string | null;
  readonly clientId: string | null;
  readonly hasSecret: boolean;
  readonly provesSecondFactor: boolean;
  readonly enabled: boolean;
  readonly redirectUri: string;
  readonly people: number;
  readonly isLinked: boolean;
  readonly saml: {
    readonly entityId: string;
    readonly ssoUrl: string | null;
    readonly metadataUrl: string | null;
    readonly readAt: string | null;
    readonly certificates: readonly { fingerprint: string; subject: string; endsAt: string }[];
  } | null;
  readonly usedAt: string | null;
}

/** Client id and secret at every IdP of tests. */
export const idpClient = { clientId: 'ours', clientSecret: 'canary-client-secret' };

/** A company whose owner acts in it. */
export interface OwnedCompany extends Company {
  /** A token of the owner for the company. */
  readonly token: string;
  readonly slug: string;
}

/** Founds a company whose owner acts in it. */
export async function ownedCompany(service: RunningService): Promise<OwnedCompany> {
  const company = await foundCompany(service);
  const token = await switchTo(service, company.owner.token, company.id);
  const [row] = await service.sql('SELECT slug FROM organizations WHERE id = $1', [company.id]);
  return { ...company, token, slug: String(row?.['slug']) };
}

/** Verifies a domain, past the DNS. */
export async function verifyDomain({ sql }: RunningService, company: Company, domain: string): Promise<void> {
  await sql(
    `INSERT INTO domains (organization_id, id, domain, challenge, joins, verified_at, created_by, created_at, updated_at)
     VALUES ($1, gen_random_uuid(), $2, repeat('x', 43), 'nobody', now(), $3, now(), now())`,
    [company.id, domain, company.owner.id],
  );
  await sql(
    `INSERT INTO domain_keys (domain, organization, read_at, due_at) VALUES ($2, $1, now(), now() + INTERVAL '1 day')`,
    [company.id, domain],
  );
}

/** A domain that is used nowhere else. */
export const newDomain = (): string => `d${randomUUID().replaceAll('-', '').slice(0, 12)}.example`;

/** Routes of a company's connections, as its owner. */
export function connectionsOf(service: RunningService, { id, token }: Pick<OwnedCompany, 'id' | 'token'>) {
  const path = `/organization/${id}/connections`;
  return {
    path,
    async create(kind = 'oidc'): Promise<ConnectionBody> {
      const body = { kind, name: 'Company IdP' };
      const answer = await ask<{ connection: ConnectionBody }>(service, `POST ${path}`, { token, body });
      if (answer.status !== 201)
        throw new Error(`it answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body.connection;
    },
    change(
      connectionId: string,
      changes: object,
    ): Promise<AnswerOf<{ connection: ConnectionBody; reason?: string }>> {
      const body = { password, ...changes };
      return ask(service, `PATCH ${path}/${connectionId}`, { token, body });
    },
    get(connectionId: string): Promise<AnswerOf<{ connection: ConnectionBody }>> {
      return ask(service, `GET ${path}/${connectionId}`, { token });
    },
    remove(connectionId: string) {
      return ask(service, `DELETE ${path}/${connectionId}`, { token });
    },
    test(connectionId: string): Promise<AnswerOf<{ test: { signingKeys: number } }>> {
      return ask(service, `POST ${path}/${connectionId}/test`, { token });
    },
  };
}

/** A company that signs its people in at an IdP. */
export interface ConnectedCompany extends OwnedCompany {
  readonly domain: string;
  readonly connection: ConnectionBody;
}

/** Founds a company with a verified domain and a connection that is on. */
export async function connectedCompany(
  service: RunningService,
  idp: RealProvider | StandInProvider,
  changes: object = {},
): Promise<ConnectedCompany> {
  const company = await ownedCompany(service);
  const domain = newDomain();
  await verifyDomain(service, company, domain);
  const connections = connectionsOf(service, company);
  const { id, redirectUri } = await connections.create();
  if ('serve' in idp) idp.serve({ ...idpClient, redirectUri });
  const wanted = { ...idpClient, issuer: idp.issuer, enabled: true, ...changes };
  const { status, body } = await connections.change(id, wanted);
  if (status !== 200) throw new Error(`it answered ${status}: ${JSON.stringify(body)}`);
  return { ...company, domain, connection: body.connection };
}

/** What the routes of single sign-on answer. */
export type SsoBody = AnswerBody & { readonly url: string };

/** Sends a browser to an IdP. */
export async function beginSso(browser: Browser, seeker: object): Promise<string> {
  const answer = await browser.send('POST /sign-in/sso', { body: { redirectTo: page, ...seeker } });
  if (answer.status !== 200) throw new Error(`it answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return (answer.body as SsoBody).url;
}

/** Follows a link back from an IdP. @returns the fragment of the page that it leads to, or the refusal */
export async function returnFrom(
  { app }: Pick<RunningService, 'app'>,
  redirectUri: string,
  parameters: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const { pathname } = new URL(redirectUri);
  const url = `${pathname}?${new URLSearchParams(parameters).toString()}`;
  const answer = await app.inject({ method: 'GET', url });
  const { location } = answer.headers;
  if (location === undefined)
    return { status: String(answer.statusCode), ...(JSON.parse(answer.body) as object) };
  return fragmentOf(new URL(location));
}

/** Exchanges a ticket. */
export function redeemSso(browser: Pick<Browser, 'send'>, ticket: string): Promise<Answer> {
  return browser.send('POST /sign-in/sso/ticket', { body: { ticket } });
}

/** Somebody at a stand-in, in claims. */
export function atStandIn(domain: string, claims: Readonly<Record<string, unknown>> = {}) {
  const sub = `sub-${randomUUID()}`;
  return { sub, email: `${sub}@${domain}`, name: 'Ada Lovelace', ...claims };
}

/** The way to a stand-in and back. @returns the fragment that the page is returned to with */
export async function visitStandIn(
  service: RunningService,
  {
    company,
    idp,
    person,
    browser,
  }: {
    readonly company: ConnectedCompany;
    readonly idp: StandInProvider;
    readonly person: Readonly<Record<string, unknown>>;
    readonly browser: Browser;
  },
): Promise<Record<string, string>> {
  const url = await beginSso(browser, { slug: company.slug });
  return returnFrom(service, company.connection.redirectUri, idp.agree(url, person));
}

/** Signs in at a stand-in, from beginning to end. */
export async function ssoAtStandIn(
  service: RunningService,
  walk: Omit<Parameters<typeof visitStandIn>[1], 'browser'>,
  browser = new Browser(service.app),
): Promise<Answer> {
  const { ticket, ...other } = await visitStandIn(service, { ...walk, browser });
  if (ticket === undefined) throw new Error(`no ticket: ${JSON.stringify(other)}`);
  return redeemSso(browser, ticket);
}
