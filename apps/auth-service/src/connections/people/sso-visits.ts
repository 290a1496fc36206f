import { ApiError } from '@tenantry/envelope';
import type { Origins } from '@tenantry/service/browser';
import { lowerAscii, readDomain } from '@tenantry/text';
import { addressKeyOf, countRefused, type Client, type Ground } from '../../ground/index.ts';
import type { OrganizationsWing } from '../../organizations/index.ts';
import type { Principal } from '../../sessions/index.ts';
import {
  admitProfile,
  allowedRedirect,
  codeChallengeMissing,
  ProviderFailure,
  returnTo,
  unknownState,
  type SignIn,
} from '../../sign-in/index.ts';
import { arrivalCodeOf } from '../arrivals/arrival-codes.ts';
import type { Arrivals } from '../arrivals/arrivals.ts';
import { connectionNotFound, signInNotFound } from '../connections.errors.ts';
import type { ConnectionKey, Connections } from '../connections.ts';
import type { Conversation, Return } from '../conversation.ts';
import { protocolOf } from '../kinds.ts';
import { flowProvider, type LiveConnection } from '../live-connection.ts';
import type { People } from './people.ts';
import { isRefusal, type Person } from './person.ts';

interface SsoVisitsDependencies extends Pick<Ground, 'config' | 'database' | 'limits' | 'logger' | 'now'> {
  readonly origins: Origins;
  /** How the IdP of a connection is spoken to. */
  readonly speak: (connection: LiveConnection) => Conversation;
  readonly connections: Connections;
  readonly arrivals: Pick<Arrivals, 'note'>;
  readonly people: People;
  readonly organizations: Pick<OrganizationsWing, 'domains'>;
  readonly signIn: Pick<SignIn, 'flows'>;
}

/** What a browser is sent to an IdP with. */
interface VisitRequest {
  readonly redirectTo: string;
  readonly codeChallenge?: string | undefined;
  readonly client: Client;
  /** Whether its cookie will identify it again. */
  readonly isBrowser: boolean;
}

/** Who wants to sign in: by an address, whose domain counts, or at an organization. */
type Seeker = { readonly email: string } | { readonly slug: string };

/** The response of an IdP, brought by a browser. */
interface BroughtBack extends Pick<Return, 'parameters' | 'client'> {
  readonly key: ConnectionKey;
  readonly by: Conversation['by'];
}

/** The maximum age of the authentication there: to link an account, and for a sign-in. */
const maxAgeSeconds = { link: 300, signIn: 7 * 24 * 60 * 60 } as const;

/** Sends browsers to the IdPs of organizations, and handles their return. It starts no session, but issues a ticket that does. */
export class SsoVisits {
  readonly #dependencies: SsoVisitsDependencies;

  constructor(dependencies: SsoVisitsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Begins a sign-in. No account is looked up: the domain of the address decides alone.
   *
   * @throws NOT_FOUND; VALIDATION_ERROR; RATE_LIMITED
   */
  async begin(seeker: Seeker, request: VisitRequest) {
    const { limits } = this.#dependencies;
    this.#allowed(request);
    await limits.providerSignIns.consume(addressKeyOf(request.client));
    const key = await this.#keyFor(seeker);
    const connection = key && (await this.#findLive(key));
    if (!connection) throw signInNotFound();
    const hint = 'email' in seeker ? { loginHint: seeker.email } : {};
    return this.#send(await this.#dependencies.connections.refreshed(connection), request, hint);
  }

  /** Begins to link the account of an owner. @throws NOT_FOUND for a connection that is not on; VALIDATION_ERROR; RATE_LIMITED */
  async beginLink(principal: Principal, key: ConnectionKey, request: VisitRequest) {
    this.#allowed(request);
    await this.#dependencies.limits.providerSignIns.consume(addressKeyOf(request.client));
    const connection = await this.#findLive(key);
    if (!connection) throw connectionNotFound();
    return this.#send(connection, request, { principal });
  }

  /**
   * Handles a response of an IdP, once.
   *
   * @returns where the browser continues: with a ticket, or with the code of an error; where a posted form belongs to no flow, with
   *   a new sign-in
   * @throws INVALID_STATE, also for a flow of another connection, and for one that began before the connection was last turned on
   * @throws VALIDATION_ERROR for a form that is no response of an IdP: its flow goes on
   * @throws RATE_LIMITED
   */
  async finish({ key, by, ...brought }: BroughtBack): Promise<string> {
    const { limits, now, signIn, speak } = this.#dependencies;
    const charge = { limiter: limits.callbacks, key: addressKeyOf(brought.client) };
    const { connection, flow, conversation } = await countRefused(charge, async () => {
      const found = await this.#findLive(key);
      const spoken = found && speak(found);
      if (!found || spoken?.by !== by) throw unknownState();
      const named = await spoken.flowOf(brought.parameters);
      if (!named && by === 'redirect') throw unknownState();
      return { connection: found, flow: named, conversation: spoken };
    });
    // Nobody has asked for it: the tile of an IdP begins a sign-in as a link does, and what the form says is not read.
    if (!flow) return this.#signInPage(key);
    const seen: { person?: Person } = {};
    try {
      // A sign-in takes any number of forms: one address would use up what the connection may have.
      if (by === 'form') await limits.postedResponses.consume(charge.key);
      // What belongs to no flow of the connection counts against its address alone.
      await limits.connectionCallbacks.consume(connection.id);
      const person = await this.#personOf(connection, conversation, { ...brought, flow });
      seen.person = person;
      if (flow.intent === 'sso') await this.#requireStanding(connection, person);
      const profile = admitProfile(profileOf(connection, person), now());
      const ticket = await signIn.flows.finish(flow, profile);
      if (ticket === undefined) throw unknownState();
      return returnTo(flow.redirectTo, { ticket });
    } catch (error) {
      await this.#note(connection, error, seen.person);
      if (isOfNoFlow(error)) throw error;
      const code = this.#log(connection, error);
      await signIn.flows.removeClaimed(flow);
      return returnTo(flow.redirectTo, { error: code });
    }
  }

  async #personOf(
    { organizationId }: LiveConnection,
    conversation: Conversation,
    returned: Omit<Return, 'domains'>,
  ): Promise<Person> {
    const { database, organizations } = this.#dependencies;
    const domains = await organizations.domains.proven(database.within({ organizationId }));
    const judgement = await conversation.personOf({ ...returned, domains });
    if (isRefusal(judgement)) throw new ProviderFailure(judgement.code, judgement.problem, judgement.address);
    return judgement;
  }

  /** Said here, so that the page that began can say it. It is decided when the session starts. */
  async #requireStanding(connection: LiveConnection, person: Person): Promise<void> {
    const { database, people } = this.#dependencies;
    const { organizationId } = connection;
    await people.standingOf(database.within({ organizationId }), { connection, person });
  }

  async #send(
    connection: LiveConnection,
    { redirectTo, codeChallenge, client }: VisitRequest,
    { principal, loginHint }: { readonly principal?: Principal; readonly loginHint?: string },
  ) {
    const { signIn, speak } = this.#dependencies;
    const { expiresAt, ...secrets } = await signIn.flows.begin({
      provider: flowProvider(connection),
      intent: principal ? 'sso-link' : 'sso',
      redirectTo: this.#redirect(redirectTo),
      codeChallenge,
      principal,
      client,
    });
    const age = principal ? maxAgeSeconds.link : maxAgeSeconds.signIn;
    const url = await speak(connection).urlOf({ ...secrets, maxAgeSeconds: age, loginHint });
    return { url: url.href, expiresAt: expiresAt.toISOString() };
  }

  #allowed({ redirectTo, isBrowser, codeChallenge }: VisitRequest): void {
    this.#redirect(redirectTo);
    if (!isBrowser && codeChallenge === undefined) throw codeChallengeMissing();
  }

  #redirect(redirectTo: string): string {
    const { config, origins } = this.#dependencies;
    return allowedRedirect(redirectTo, { origins, uris: config.REDIRECT_URIS });
  }

  async #keyFor(seeker: Seeker): Promise<ConnectionKey | undefined> {
    const { connections } = this.#dependencies;
    if ('slug' in seeker) return connections.findBySlug(seeker.slug);
    const domain = readDomain(lowerAscii(seeker.email.slice(seeker.email.lastIndexOf('@') + 1)));
    return domain === undefined ? undefined : connections.findByDomain(domain);
  }

  async #signInPage({ organizationId }: ConnectionKey): Promise<string> {
    const { config, connections } = this.#dependencies;
    if (config.FRONTEND_URL === undefined) throw unknownState();
    const page = new URL(`${config.FRONTEND_URL.replace(/\/+$/, '')}/sign-in`);
    page.searchParams.set('organization', await connections.slugOf(organizationId));
    return page.href;
  }

  #findLive(key: ConnectionKey): Promise<LiveConnection | undefined> {
    const { connections, database } = this.#dependencies;
    return connections.findLive(database.within({ organizationId: key.organizationId }), key);
  }

  /** For the owners of the organization. */
  async #note(
    { organizationId, id: connectionId, kind }: LiveConnection,
    error: unknown,
    person?: Person,
  ): Promise<void> {
    const code = arrivalCodeOf(error);
    if (code === undefined) return;
    const said = error instanceof ProviderFailure ? error.address : undefined;
    const address = person?.email ?? said ?? null;
    const protocol = protocolOf(kind);
    await this.#dependencies.arrivals.note({ organizationId, connectionId, protocol, code, address });
  }

  /** Only the problem: a response may contain codes and tokens. */
  #log({ id }: LiveConnection, error: unknown): string {
    const code = error instanceof ProviderFailure || error instanceof ApiError ? error.code : undefined;
    if (code === undefined) throw error;
    const problem = error instanceof ProviderFailure ? error.problem : 'standing';
    this.#dependencies.logger.warn({ connectionId: id, code, problem }, 'a single sign-on failed');
    return code;
  }
}

/** A return that says nothing of the flow that it names: another one may follow. */
const isOfNoFlow = (error: unknown): boolean =>
  error instanceof ApiError && ['INVALID_STATE', 'VALIDATION_ERROR'].includes(error.code);

/** What a flow keeps of a person. */
function profileOf(connection: LiveConnection, person: Person) {
  const issuer = connection.kind === 'saml' ? connection.issuer : connection.metadata.issuer;
  return { ...person, issuer, provesEmail: false };
}
