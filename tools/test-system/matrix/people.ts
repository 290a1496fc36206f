import { hash, randomUUID } from 'node:crypto';
import { canary, onceAvailable } from '@tenantry/test-kit';
import { ownOrigin } from './origin.ts';
import { agreeAt, codeVerifier, providerName } from './identity-provider.ts';
import { mailedToken, type MailedPage } from './mailbox.ts';
import type { RunningServices } from './services.ts';
import { send, type WireAnswer } from './wire.ts';

/** Roles as invitations name them. */
export type Role = 'admin' | 'member';

/** Somebody with an account, signed in. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  /** Active when the token was issued. */
  readonly organizationId: string;
  readonly session: { readonly id: string; readonly token: string; readonly refreshToken: string };
  /** The cookie by which the device is known that the session is bound to. */
  readonly device: string;
}

/** An organization with one person of each role. */
export interface Tenant {
  readonly api: Api;
  readonly organizationId: string;
  readonly owner: Person;
  readonly admin: Person;
  readonly member: Person;
  /** Somebody new joins. */
  readonly join: (role: Role) => Promise<Person>;
  /** The mailed token of a new invitation to an address. */
  readonly invite: (email: string, role?: Role) => Promise<{ id: string; token: string }>;
}

/** A body and its type. */
export interface SentFile {
  readonly mediaType: string;
  readonly content: string | Buffer;
}

/** What people do on their way into the matrix. */
export class Api {
  readonly services: RunningServices;

  readonly #device: string;

  private constructor(services: RunningServices, device: string) {
    this.services = services;
    this.#device = device;
  }

  /** Everybody uses one browser, which is given its name here. @param origin of the front end */
  static async of(services: RunningServices, origin: string = ownOrigin): Promise<Api> {
    const { headers } = await send(services.urlOf('auth-service'), {
      method: 'POST',
      path: '/api/auth/sign-in/mailed',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ email: newEmail() }),
    });
    const cookies = (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0] ?? '');
    const device = cookies.find((cookie) => cookie.startsWith('__Secure-device='));
    if (device === undefined) throw new Error('A browser that begins to sign in is given no name');
    return new Api(services, device);
  }

  /** Sends JSON to a service and gives the parsed answer; anything but a success is an error. */
  call<T>(request: `${string} /${string}`, body?: object, by?: Person): Promise<T> {
    const json = body && { mediaType: 'application/json', content: JSON.stringify(body) };
    return this.#send<T>(request, json, by);
  }

  /** Sends a file to a service. */
  async sendFile(request: `${string} /${string}`, file: SentFile, by: Person): Promise<void> {
    await this.#send(request, file, by);
  }

  async #send<T>(request: string, file?: SentFile, by?: Person): Promise<T> {
    const [method = '', path = ''] = request.split(' ');
    const service = this.services.names.find((name) => path.startsWith(this.services.prefixOf(name)));
    const answer = await onceAvailable(() =>
      send(this.services.urlOf(service ?? ''), {
        method,
        path,
        headers: {
          cookie: this.#device,
          ...(file && { 'content-type': file.mediaType }),
          ...(by && bearer(by)),
        },
        body: file?.content,
      }),
    );
    return successOf(answer, request) as T;
  }

  /** Makes an account; with an invitation it belongs to that organization alone, else to one of its own. */
  async signUp(options: { email?: string; invitationToken?: string } = {}): Promise<Person> {
    const credentials = { email: newEmail(), password: newPassword(), ...options };
    const { user, session } = await this.call<{ user: { id: string }; session?: object }>(
      'POST /api/auth/sign-up/email',
      { ...credentials, name: 'Robin' },
    );
    // Where addresses are confirmed first.
    if (!session) await this.confirm(credentials);
    return this.signIn({ id: user.id, ...credentials });
  }

  /** Opens a further session. */
  async signIn({ id, email, password }: Pick<Person, 'id' | 'email' | 'password'>): Promise<Person> {
    const answer = await this.call<{ user: { organizationId: string }; session: Person['session'] }>(
      'POST /api/auth/sign-in/email',
      { email, password },
    );
    const { user, session } = answer;
    return { id, email, password, organizationId: user.organizationId, session, device: this.#device };
  }

  /** Confirms the address of somebody who is to invite others. */
  async confirm({ email }: Pick<Person, 'email'>): Promise<void> {
    await this.call('POST /api/auth/email/verify', { token: await this.mailed(email, 'verify-email') });
  }

  /** The ticket of a sign-in at the provider, which somebody begins and comes back from. */
  async ticket(by: Person, begin: 'sign-in/social' | 'identities/link'): Promise<string> {
    const body = socialVisit(`${ownOrigin}/signed-in`);
    const { url } = await this.call<{ url: string }>(`POST /api/auth/${begin}`, body, by);
    const path = `/api/auth/callback/${providerName}?${agreeAt(url).toString()}`;
    const answer = await send(this.services.urlOf('auth-service'), { method: 'GET', path, headers: {} });
    const target = new URL(String(answer.headers['location']));
    return new URLSearchParams(target.hash.slice(1)).get('ticket') ?? '';
  }

  /** Where a page is sent back to from the IdP of an organization, with the ticket of somebody there. */
  async ssoTicket(
    url: string,
    { redirectUri, email }: { redirectUri: string; email: string },
  ): Promise<string> {
    const { pathname } = new URL(redirectUri);
    const path = `${pathname}?${agreeAt(url, email).toString()}`;
    const answer = await send(this.services.urlOf('auth-service'), { method: 'GET', path, headers: {} });
    const target = new URL(String(answer.headers['location']));
    return new URLSearchParams(target.hash.slice(1)).get('ticket') ?? '';
  }

  /** The issuer of the provider. */
  async issuer(): Promise<string> {
    const body = socialVisit(`${ownOrigin}/signed-in`);
    const { url } = await this.call<{ url: string }>('POST /api/auth/sign-in/social', body);
    return new URL(url).origin;
  }

  /** The token that was mailed to an address. */
  mailed(to: string, page: MailedPage): Promise<string> {
    return mailedToken(this.services.mailDirectory, to, page);
  }

  /** Founds an organization whose owner is new too, and gives it an admin and a member. */
  async newTenant(): Promise<Tenant> {
    const owner = await this.signUp();
    await this.confirm(owner);
    const { invite, join } = this.waysInto(owner);
    const [admin, member] = await Promise.all([join('admin'), join('member')]);
    return { api: this, organizationId: owner.organizationId, owner, admin, member, join, invite };
  }

  /** How others come into the organization of an owner whose address is confirmed. */
  waysInto(owner: Person): Pick<Tenant, 'invite' | 'join'> {
    const { organizationId } = owner;
    const invite = async (email: string, role: Role = 'member') => {
      const path = `/api/auth/organization/${organizationId}/invitations` as const;
      const { invitation } = await this.call<{ invitation: { id: string } }>(
        `POST ${path}`,
        { email, role },
        owner,
      );
      return { id: invitation.id, token: await this.mailed(email, 'accept-invitation') };
    };
    const join = async (role: Role) => {
      const email = newEmail();
      const { token } = await invite(email, role);
      return this.signUp({ email, invitationToken: token });
    };
    return { invite, join };
  }
}

/** The headers that carry a person's session, and name their device. */
export const bearer = ({ session, device }: Person): { authorization: string; cookie: string } => ({
  authorization: `Bearer ${session.token}`,
  cookie: device,
});

/** A visit to the provider that returns to a page. */
export const socialVisit = (redirectTo: string) => ({
  provider: providerName,
  redirectTo,
  codeChallenge: hash('sha256', codeVerifier, 'base64url'),
});

export const newEmail = (): string => `${randomUUID()}@people.example`;
export const newPassword = (): string => `${canary}-${randomUUID()}`;

function successOf({ status, text }: WireAnswer, request: string): unknown {
  if (status >= 300) throw new Error(`${request} is ${status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
