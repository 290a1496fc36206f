import { connectionsMax } from '@tenantry/contracts';
import type { ApiError } from '@tenantry/envelope';
import { AddressRefused, type GuardedCalls } from '@tenantry/service/guarded';
import { recordAudit } from '../audit/index.ts';
import type { OrganizationTransaction, Rows, Transaction } from '../database.ts';
import {
  addressKeyOf,
  countChange,
  type Ground,
  type MemberContext,
  type SignedIn,
} from '../ground/index.ts';
import { requirePermission, secondFactorUndeclared, type OrganizationsWing } from '../organizations/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { ProviderFailure, providerUnavailable } from '../sign-in/index.ts';
import type { ConnectionEndings } from './connection-endings.ts';
import {
  certificatesEnded,
  connectionEnabled,
  connectionIncomplete,
  connectionNotFound,
  domainMissing,
  fieldOfOtherKind,
  issuerInvalid,
  issuerRefused,
  samlInvalid,
  samlPartInvalid,
  samlRefused,
  ssoUrlRefused,
  tooManyConnections,
} from './connections.errors.ts';
import {
  ConnectionsRepository,
  type ConnectionKey,
  type StoredConnection,
  type StoredSaml,
} from './connections.repository.ts';
import type { Kind } from './kinds.ts';
import type { LiveConnection, OpenIdConnection } from './live-connection.ts';
import { isIssuerOf, type OpenIdKind } from './openid/kinds.ts';
import { countKeys, readMetadata, type IdpMetadata } from './openid/metadata.ts';
import type { People } from './people/people.ts';
import { notEnded } from './saml/certificates.ts';
import type { SamlMetadata } from './saml/saml-provider.ts';
import type { GivenMetadata, ReadMetadata, SamlSettings } from './saml/saml-settings.ts';
import type { ServiceProvider } from './saml/service-provider.ts';

export type { ConnectionKey } from './connections.repository.ts';

interface ConnectionsDependencies extends Pick<
  Ground,
  'config' | 'database' | 'limits' | 'logger' | 'newId' | 'now' | 'secrets'
> {
  readonly sessions: Pick<Sessions, 'callers'>;
  readonly endings: Pick<ConnectionEndings, 'disable' | 'endSessions' | 'remove'>;
  readonly organizations: Pick<OrganizationsWing, 'domains' | 'ssoRequirement'>;
  readonly guardedCalls: GuardedCalls;
  readonly people: Pick<People, 'forget'>;
  readonly samlSettings: SamlSettings;
}

/** What is answered where an IdP cannot be used. */
interface AskRefusals {
  /** For an address that is not allowed. */
  readonly refused: () => ApiError;
  readonly invalid: (problem: string) => ApiError;
}

/** The fields of a change; omitted ones are unchanged. */
interface ConnectionChanges {
  readonly name?: string | undefined;
  readonly issuer?: string | undefined;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly saml?: GivenMetadata | undefined;
  readonly provesSecondFactor?: boolean | undefined;
  readonly enabled?: boolean | undefined;
}

/** What an IdP said when it was asked. */
export interface ConnectionTest {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  /** How many keys it signs with: those that it publishes, or certificates that have not ended. */
  readonly signingKeys: number;
}

const purpose = 'connection-secret-encryption';
/** After this, what an IdP says of itself is read again. */
const metadataLifetimeMs = 24 * 60 * 60 * 1_000;

/** The identity providers (IdPs) by which organizations sign their people in. */
export class Connections {
  readonly #dependencies: ConnectionsDependencies;
  readonly #repository = new ConnectionsRepository();

  constructor(dependencies: ConnectionsDependencies) {
    this.#dependencies = dependencies;
  }

  /** In order of creation. @param userId the caller, who may have linked them */
  list(organizationId: string, userId: string): Promise<StoredConnection[]> {
    return this.#repository.list(this.#dependencies.database.within({ organizationId }), userId);
  }

  /** @throws NOT_FOUND */
  get(organizationId: string, id: string, userId: string): Promise<StoredConnection> {
    return this.#get(this.#dependencies.database.within({ organizationId }), id, userId);
  }

  /** As {@link Connections.get}, in a transaction in the scope of the organization. @throws NOT_FOUND */
  getIn(tx: OrganizationTransaction, id: string): Promise<StoredConnection> {
    return this.#get(tx, id);
  }

  /** Begins a connection: what the IdP gives in return for our redirect URI is still to come. @throws QUOTA_EXCEEDED; RATE_LIMITED */
  create(
    context: MemberContext<SignedIn>,
    { kind, name }: { readonly kind: Kind; readonly name: string },
  ): Promise<StoredConnection> {
    const { newId, now } = this.#dependencies;
    const { userId } = context.actor;
    return this.#counted(context, async (tx) => {
      if ((await this.#repository.list(tx, userId)).length >= connectionsMax) throw tooManyConnections();
      const id = newId();
      await this.#repository.insert(tx, { id, kind, name, createdBy: userId, at: now() });
      const target = { type: 'connection', id, name };
      await recordAudit(tx, context, { action: 'connection.created', target, details: { kind } });
      return this.#get(tx, id, userId);
    });
  }

  /**
   * Changes a connection. A new issuer is read first, and the people of the former one are forgotten. Turning a connection off ends
   * everything that it began, and so does withdrawing that it proves a second factor.
   *
   * @throws NOT_FOUND; VALIDATION_ERROR or UPSTREAM_UNAVAILABLE for an issuer; DOMAIN_NOT_VERIFIED; CONFLICT; RATE_LIMITED
   */
  async change(
    context: MemberContext<SignedIn>,
    id: string,
    { enabled, issuer, saml, clientSecret, ...wanted }: ConnectionChanges,
  ): Promise<StoredConnection> {
    const { endings, organizations, now } = this.#dependencies;
    const { organizationId, actor } = context;
    const { userId } = actor;
    const { kind } = await this.get(organizationId, id, userId);
    requireFieldsOf(kind, { issuer, clientId: wanted.clientId, clientSecret, saml });
    const read = await this.#given(readerOf(context), { kind, issuer, saml });
    return this.#counted(context, async (tx) => {
      const before = await this.#get(tx, id, userId);
      if (read && read.issuer !== before.issuer) await this.#forgetIssuer(tx, before);
      const after = {
        ...before,
        ...given(wanted),
        ...(read && { ...read, metadataReadAt: this.#dependencies.now() }),
        ...this.#sealed(id, clientSecret),
      } as StoredConnection;
      const willBeOn = enabled ?? before.enabledAt !== null;
      if (willBeOn) await this.#requireUsable(tx, after);
      await this.#repository.update(tx, id, after, now());
      await this.#record(tx, context, { before, after, isSecretNew: clientSecret !== undefined });
      if (enabled === true && before.enabledAt === null) await this.#enable(tx, context, after);
      if (enabled === false && before.enabledAt !== null) {
        await organizations.ssoRequirement.requireNone(tx);
        await endings.disable(tx, context, after);
      } else if (before.provesSecondFactor && !after.provesSecondFactor) await endings.endSessions(tx, after);
      return this.#get(tx, id, userId);
    });
  }

  /**
   * Deletes a connection, with who is who at its IdP, and ends everything that it began.
   *
   * @param endRoles ends those that its directory gave
   * @throws NOT_FOUND; CONFLICT while single sign-on is required, or for more roles than may end at once
   */
  async remove(
    context: MemberContext<SignedIn>,
    id: string,
    endRoles: (tx: OrganizationTransaction) => Promise<void>,
  ): Promise<void> {
    const { endings, organizations } = this.#dependencies;
    await this.#owning(context, async (tx) => {
      const connection = await this.#get(tx, id);
      if (connection.enabledAt !== null) await organizations.ssoRequirement.requireNone(tx);
      await endRoles(tx);
      await endings.remove(tx, context, connection);
    });
  }

  /**
   * Reads what an IdP says of itself, and its keys, now.
   *
   * @throws NOT_FOUND; CONFLICT while there is no issuer; VALIDATION_ERROR; UPSTREAM_UNAVAILABLE; RATE_LIMITED
   */
  async test(context: MemberContext<SignedIn>, id: string): Promise<ConnectionTest> {
    const { database, guardedCalls } = this.#dependencies;
    const { organizationId, actor } = context;
    const stored = await this.get(organizationId, id, actor.userId);
    const { kind, issuer } = stored;
    if (issuer === null) throw connectionIncomplete();
    if (kind === 'saml') return this.#testSaml(readerOf(context), stored);
    const metadata = await this.#read(organizationId, { kind, issuer });
    const signingKeys = await this.#ask(() => countKeys(guardedCalls, metadata));
    await this.#repository.setMetadata(database.within({ organizationId }), { id, issuer, metadata });
    return { issuer, authorizationEndpoint: metadata.authorization_endpoint, signingKeys };
  }

  /** The connection that signs in whoever has an address in a domain, written as it is stored. */
  findByDomain(domain: string): Promise<ConnectionKey | undefined> {
    return this.#repository.findByDomain(this.#dependencies.database.unscoped, domain);
  }

  /** The connection of the organization with a slug. */
  findBySlug(slug: string): Promise<ConnectionKey | undefined> {
    return this.#repository.findBySlug(this.#dependencies.database.unscoped, slug);
  }

  /** Whether one of any organization is on. */
  isOn(): Promise<boolean> {
    return this.#repository.isAnyOn(this.#dependencies.database.unscoped);
  }

  /** The slug of an organization. @throws NOT_FOUND */
  async slugOf(organizationId: string): Promise<string> {
    const rows = this.#dependencies.database.within({ organizationId });
    const slug = await this.#repository.slug(rows);
    if (slug === undefined) throw connectionNotFound();
    return slug;
  }

  /** A connection that is on, in the scope of its organization; undefined for any other. */
  async findLive(rows: Rows, { organizationId, id }: ConnectionKey): Promise<LiveConnection | undefined> {
    const stored = await this.#repository.get(rows, id);
    if (!stored) return undefined;
    const { enabledAt, issuer, provesSecondFactor } = stored;
    if (enabledAt === null || issuer === null) return undefined;
    const live = { organizationId, id, provesSecondFactor, enabledAt };
    if (stored.kind === 'saml') {
      const { kind, metadata } = stored;
      const serviceProvider = this.serviceProviderOf(live);
      return metadata === null ? undefined : { ...live, kind, issuer, metadata, serviceProvider };
    }
    const { clientId, encryptedSecret, secretId, metadata, kind } = stored;
    const secret = secretId === null ? undefined : this.#dependencies.secrets.find(secretId);
    if (clientId === null || metadata === null) return undefined;
    if (secret === undefined || encryptedSecret === null) return undefined;
    const clientSecret = secret.decrypt(purpose, encryptedSecret, id).toString();
    return { ...live, kind, clientId, clientSecret, metadata, redirectUri: this.redirectUriOf(live) };
  }

  /**
   * Once a day, what the IdP says of itself now; what it said before stays in use if it does not answer. That of SAML is read whether
   * or not somebody signs in, because its certificates end.
   */
  async refreshed(connection: LiveConnection): Promise<LiveConnection> {
    return connection.kind === 'saml' ? connection : this.#refreshed(connection);
  }

  async #refreshed(connection: OpenIdConnection): Promise<OpenIdConnection> {
    const { database, guardedCalls, logger, now } = this.#dependencies;
    const { organizationId, id, metadata } = connection;
    const rows = database.within({ organizationId });
    const at = now();
    const before = new Date(at.getTime() - metadataLifetimeMs);
    if (!(await this.#repository.claimMetadata(rows, { id, at, before }))) return connection;
    try {
      const read = await readMetadata(guardedCalls, metadata.issuer);
      await this.#repository.setMetadata(rows, { id, issuer: read.issuer, metadata: read });
      return { ...connection, metadata: read };
    } catch (error) {
      if (!(error instanceof ProviderFailure || error instanceof AddressRefused)) throw error;
      const problem = error instanceof ProviderFailure ? error.problem : error.code;
      logger.warn({ connectionId: id, problem }, 'an identity provider could not be read again');
      return connection;
    }
  }

  /** Where the IdP sends browsers back to. */
  redirectUriOf({ organizationId, id }: ConnectionKey): string {
    return `${this.#dependencies.config.AUTH_URL}/sso/${organizationId}/${id}/callback`;
  }

  /** Who this service is for an IdP of SAML. */
  serviceProviderOf({ organizationId, id }: ConnectionKey): ServiceProvider {
    const base = `${this.#dependencies.config.AUTH_URL}/sso/${organizationId}/${id}`;
    return { entityId: `${base}/metadata`, acsUrl: `${base}/acs` };
  }

  /** The same, for whoever asks at its address. @throws NOT_FOUND */
  async publicServiceProvider(key: ConnectionKey): Promise<ServiceProvider> {
    const { organizationId, id } = key;
    const { kind } = await this.#get(this.#dependencies.database.within({ organizationId }), id);
    if (kind !== 'saml') throw connectionNotFound();
    return this.serviceProviderOf(key);
  }

  async #testSaml(reader: OwnReader, stored: StoredSaml): Promise<ConnectionTest> {
    const { database, now } = this.#dependencies;
    const { organizationId } = reader;
    const { id, issuer, metadataUrl, metadata: before } = stored;
    if (issuer === null || before === null) throw connectionIncomplete();
    const saml = metadataUrl === null ? undefined : { metadataUrl };
    const read = await this.#given(reader, { kind: 'saml', saml });
    // Another entity is saved by its owner alone.
    if (read && read.issuer !== issuer) throw samlInvalid();
    const metadata = read ? (read.metadata as SamlMetadata) : before;
    if (read)
      await this.#repository.setMetadata(database.within({ organizationId }), { id, issuer, metadata });
    const signingKeys = notEnded(metadata.certificates, now()).length;
    if (signingKeys === 0) throw certificatesEnded();
    return { issuer, authorizationEndpoint: metadata.ssoUrl, signingKeys };
  }

  /** What an owner gives of the IdP, once it is read; undefined if it stays as it is. */
  async #given(
    reader: OwnReader,
    { kind, issuer, saml }: Pick<ConnectionChanges, 'issuer' | 'saml'> & { readonly kind: Kind },
  ): Promise<Pick<StoredConnection, 'issuer' | 'metadata' | 'metadataUrl'> | undefined> {
    if (kind === 'saml') return saml && this.#readSaml(reader, saml);
    const metadata =
      issuer === undefined ? undefined : await this.#read(reader.organizationId, { kind, issuer });
    return metadata && { metadata, issuer: metadata.issuer, metadataUrl: null };
  }

  async #readSaml(reader: OwnReader, saml: GivenMetadata): Promise<ReadMetadata> {
    await this.#dependencies.limits.organizationChanges.consume(reader.organizationId);
    const isInParts = 'entityId' in saml;
    const refusals = isInParts
      ? { refused: ssoUrlRefused, invalid: samlPartInvalid }
      : { refused: samlRefused, invalid: samlInvalid };
    return this.#ask(() => this.#dependencies.samlSettings.read(reader, saml), refusals);
  }

  async #get(rows: Rows, id: string, userId: string | null = null): Promise<StoredConnection> {
    const connection = await this.#repository.get(rows, id, userId);
    if (!connection) throw connectionNotFound();
    return connection;
  }

  /** Each is counted among the changes of the organization, whether it succeeds or not. @throws RATE_LIMITED */
  async #read(
    organizationId: string,
    { kind, issuer }: { readonly kind: OpenIdKind; readonly issuer: string },
  ): Promise<IdpMetadata> {
    const { guardedCalls, limits } = this.#dependencies;
    if (!URL.canParse(issuer) || !isIssuerOf(kind, issuer)) throw issuerRefused();
    await limits.organizationChanges.consume(organizationId);
    return this.#ask(() => readMetadata(guardedCalls, issuer));
  }

  async #ask<Answer>(
    question: () => Promise<Answer>,
    { refused, invalid }: AskRefusals = { refused: issuerRefused, invalid: issuerInvalid },
  ): Promise<Answer> {
    try {
      return await question();
    } catch (error) {
      if (error instanceof AddressRefused) throw refused();
      if (!(error instanceof ProviderFailure)) throw error;
      throw error.code === 'PROVIDER_UNAVAILABLE' ? providerUnavailable() : invalid(error.problem);
    }
  }

  /** The subjects of one issuer say nothing of those of another. */
  async #forgetIssuer(tx: Transaction, { id, enabledAt }: StoredConnection): Promise<void> {
    if (enabledAt !== null) throw connectionEnabled();
    await this.#dependencies.people.forget(tx, id);
  }

  #sealed(id: string, clientSecret: string | undefined) {
    if (clientSecret === undefined) return {};
    const secret = this.#dependencies.secrets.current;
    return { encryptedSecret: secret.encrypt(purpose, Buffer.from(clientSecret), id), secretId: secret.id };
  }

  async #requireUsable(tx: Transaction, connection: StoredConnection): Promise<void> {
    const { organizations, now } = this.#dependencies;
    const { clientId, encryptedSecret, provesSecondFactor } = connection;
    if (connection.metadata === null) throw connectionIncomplete();
    if (connection.kind === 'saml') {
      if (notEnded(connection.metadata.certificates, now()).length === 0) throw certificatesEnded();
    } else if (clientId === null || encryptedSecret === null) throw connectionIncomplete();
    if (!provesSecondFactor && (await this.#repository.requiresSecondFactor(tx)))
      throw secondFactorUndeclared();
    if (connection.enabledAt !== null) return;
    if ((await organizations.domains.proven(tx)).length === 0) throw domainMissing();
  }

  async #enable(
    tx: Transaction,
    context: MemberContext,
    { id, name, kind }: StoredConnection,
  ): Promise<void> {
    const { organizationId } = context;
    const at = this.#dependencies.now();
    if (!(await this.#repository.enable(tx, { organizationId, id, kind, at }))) throw connectionEnabled();
    const target = { type: 'connection', id, name };
    await recordAudit(tx, context, { action: 'connection.enabled', target });
  }

  async #record(
    tx: Transaction,
    context: MemberContext,
    {
      before,
      after,
      isSecretNew,
    }: { before: StoredConnection; after: StoredConnection; isSecretNew: boolean },
  ): Promise<void> {
    const compared = ['name', 'issuer', 'clientId', 'metadataUrl', 'provesSecondFactor'] as const;
    const changed = compared.filter((field) => before[field] !== after[field]);
    const changes = [
      ...changed,
      ...(isSecretNew ? ['clientSecret'] : []),
      ...(areOthers(before, after) ? ['certificates'] : []),
    ];
    if (changes.length === 0) return;
    const target = { type: 'connection', id: after.id, name: after.name };
    await recordAudit(tx, context, { action: 'connection.updated', target, details: { changes } });
  }

  #owning<Result>(
    context: MemberContext,
    work: (tx: OrganizationTransaction) => Promise<Result>,
  ): Promise<Result> {
    return this.#dependencies.sessions.callers.inOrganization(context, (tx, role) => {
      requirePermission(role, 'connections:write');
      return work(tx);
    });
  }

  /** Counted among the changes of the organization. */
  async #counted(
    context: MemberContext,
    work: (tx: OrganizationTransaction) => Promise<StoredConnection>,
  ): Promise<StoredConnection> {
    const charge = { limiter: this.#dependencies.limits.organizationChanges, key: context.organizationId };
    const { connection } = await countChange(charge, async () => ({
      connection: await this.#owning(context, work),
      hasChanged: true,
    }));
    return connection;
  }
}

/** Each kind has fields of its own. @throws VALIDATION_ERROR */
function requireFieldsOf(
  kind: Kind,
  { saml, ...openId }: Pick<ConnectionChanges, 'issuer' | 'clientId' | 'clientSecret' | 'saml'>,
): void {
  const others = kind === 'saml' ? openId : { saml };
  const [field] = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : name));
  if (field !== undefined) throw fieldOfOtherKind(field);
}

/** Whether the IdP of SAML signs with other certificates, or signs people in elsewhere. */
const areOthers = (before: StoredConnection, after: StoredConnection): boolean =>
  after.kind === 'saml' && JSON.stringify(before.metadata) !== JSON.stringify(after.metadata);

/** Without what is undefined. */
function given<Fields extends object>(
  fields: Fields,
): { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> };
}

/** An owner who has something read, at their address. */
type OwnReader = ReturnType<typeof readerOf>;

const readerOf = ({ organizationId, client }: Pick<MemberContext, 'organizationId' | 'client'>) => ({
  organizationId,
  address: addressKeyOf(client ?? { ipAddress: null }),
});
