import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Transaction } from '../../database.ts';
import type { AuthSecret, Client, Ground } from '../../ground/index.ts';
import { bindToDevice } from '../device-binding.ts';
import type { SignInFlow } from '../proof.ts';
import type { Principal, Sessions } from '../../sessions/index.ts';
import { FlowsRepository, type FlowIntent, type SealedContent, type StoredFlow } from './flows.repository.ts';
import type { FlowSecrets, ProviderProfile } from './provider.ts';
import { invalidTicket } from './flows.errors.ts';

/** A new flow. */
export interface FlowRequest {
  readonly provider: string;
  readonly intent: FlowIntent;
  readonly redirectTo: string;
  readonly codeChallenge?: string | undefined;
  readonly invitationToken?: string | undefined;
  /** Who links. */
  readonly principal?: Principal | undefined;
  readonly client: Client;
}

/** A flow that has begun. */
interface BegunFlow extends FlowSecrets {
  readonly id: string;
  readonly expiresAt: Date;
}

/** A flow whose browser has come back. */
export interface ReturnedFlow extends FlowSecrets {
  readonly id: string;
  readonly intent: FlowIntent;
  readonly redirectTo: string;
  readonly content: FlowContent;
}

/** A presented ticket. */
export interface TicketClaim {
  readonly ticket: string;
  readonly codeVerifier?: string | undefined;
  readonly client: Client;
}

/** A flow whose ticket its device has presented. */
export interface ProvenFlow {
  readonly id: string;
  readonly provider: string;
  readonly profile: ProviderProfile;
  readonly invitationToken: string | undefined;
}

/** What a provider said at the end of a flow. */
export type FlowResult = Pick<ProvenFlow, 'id' | 'provider' | 'profile'>;

/** The encrypted part of a flow. */
interface FlowContent {
  readonly invitationToken?: string | undefined;
  readonly profile?: ProviderProfile;
}

interface FlowsDependencies extends Pick<Ground, 'database' | 'secrets' | 'now' | 'newId'> {
  readonly sessions: Pick<Sessions, 'callers'>;
}

const lifetimeMs = 10 * 60 * 1_000;
const ticketLifetimeMs = 60 * 1_000;
const purpose = 'sign-in-flow-encryption';
const statePrefix = 'tsf_';
const ticketPrefix = 'tst_';

/** What tickets look like. */
export const ticketForm = {
  pattern: `^${ticketPrefix}[A-Za-z0-9_-]{43}$`,
  messages: { pattern: 'must be a ticket' },
} as const;

/**
 * Sign-ins at a provider, from the request to the ticket. Issued tokens are stored as digests, results are encrypted, and a
 * flow's other secrets are derived from its token, so the contents of the database cannot finish one.
 */
export class Flows {
  readonly #ground: FlowsDependencies;
  readonly #repository = new FlowsRepository();

  constructor(ground: FlowsDependencies) {
    this.#ground = ground;
  }

  /** @throws UNAUTHENTICATED where the session of who links has ended */
  async begin({ invitationToken, client, principal, ...request }: FlowRequest): Promise<BegunFlow> {
    const { database, secrets, sessions, now, newId } = this.#ground;
    const id = newId();
    const state = statePrefix + randomBytes(32).toString('base64url');
    const createdAt = now();
    const expiresAt = new Date(createdAt.getTime() + lifetimeMs);
    const flow = {
      ...request,
      ...this.#seal(id, invitationToken === undefined ? {} : { invitationToken }),
      id,
      stateDigest: digestOf(state),
      binding: bindToDevice(id, client),
      codeChallenge: request.codeChallenge ?? null,
      userId: principal?.user.id ?? null,
      createdAt,
      expiresAt,
    };
    if (principal) await sessions.callers.own(principal, (tx) => this.#repository.insert(tx, flow));
    else await this.#repository.insert(database.unscoped, flow);
    return { id, state, expiresAt, ...derivedOf(id, secrets.current) };
  }

  /** The flow of a returned state, once. */
  async claim(provider: string, state: string): Promise<ReturnedFlow | undefined> {
    const returned = { stateDigest: digestOf(state), provider, at: this.#ground.now() };
    return this.#returned(state, await this.#repository.claim(this.#ground.database.unscoped, returned));
  }

  /** The flow of a returned state that is still to be claimed, for a return that counts only once it is read. */
  async find(provider: string, state: string): Promise<ReturnedFlow | undefined> {
    const returned = { stateDigest: digestOf(state), provider, at: this.#ground.now() };
    return this.#returned(state, await this.#repository.find(this.#ground.database.unscoped, returned));
  }

  /** Stores the result of a flow. @returns the ticket that its device redeems; undefined if the flow no longer exists */
  async finish(
    { id, content }: Pick<ReturnedFlow, 'id' | 'content'>,
    profile: ProviderProfile,
  ): Promise<string | undefined> {
    const { database, now } = this.#ground;
    const ticket = ticketPrefix + randomBytes(32).toString('base64url');
    const expiresAt = new Date(now().getTime() + ticketLifetimeMs);
    const sealed = this.#seal(id, { ...content, profile });
    const outcome = { id, ticketDigest: digestOf(ticket), expiresAt, ...sealed };
    return (await this.#repository.finish(database.unscoped, outcome)) ? ticket : undefined;
  }

  /**
   * The flow of a ticket, on the device that began it and with the verifier that it began with (RFC 7636, 4.6). It is not
   * consumed: {@link Flows.take} does that.
   *
   * @throws INVALID_TICKET, also for a flow with another intent or of another user
   */
  async open(
    { ticket, codeVerifier, client }: TicketClaim,
    wanted: { readonly intent: FlowIntent; readonly userId: string | null },
  ): Promise<ProvenFlow> {
    const { database, secrets, now } = this.#ground;
    const flow = await this.#repository.findByTicket(database.unscoped, digestOf(ticket), now());
    if (!flow || flow.intent !== wanted.intent || flow.userId !== wanted.userId) throw invalidTicket();
    if (flow.binding !== bindToDevice(flow.id, client)) throw invalidTicket();
    if (!isVerified(flow, codeVerifier)) throw invalidTicket();
    const secret = secrets.find(flow.secretId);
    const { profile, invitationToken } = secret ? open(flow, secret) : {};
    if (!profile) throw invalidTicket();
    return { id: flow.id, provider: flow.provider, profile, invitationToken };
  }

  /** Locks a flow for the transaction; undefined if it no longer exists. */
  async hold(tx: Transaction, id: string): Promise<FlowResult | undefined> {
    return this.#resultOf(await this.#repository.hold(tx, id, this.#ground.now()));
  }

  /** Consumes a flow, in the transaction of what it allows; undefined for all but one use. */
  async take(tx: Transaction, id: string): Promise<FlowResult | undefined> {
    return this.#resultOf(await this.#repository.take(tx, id, this.#ground.now()));
  }

  /** Keeps the result of a flow for a later step of the sign-in, and consumes its ticket; undefined for all but one use. */
  async keep(tx: Transaction, { id, from }: SignInFlow, until: Date): Promise<FlowResult | undefined> {
    const kept = { id, hasTicket: from === 'ticket', until, at: this.#ground.now() };
    return this.#resultOf(await this.#repository.keep(tx, kept));
  }

  /** Deletes a failed flow. */
  async remove({ id }: Pick<ReturnedFlow, 'id'>): Promise<void> {
    await this.#repository.remove(this.#ground.database.unscoped, id);
  }

  /** Deletes a failed flow, unless nobody has claimed it: then another return may follow. */
  async removeClaimed({ id }: Pick<ReturnedFlow, 'id'>): Promise<void> {
    await this.#repository.removeClaimed(this.#ground.database.unscoped, id);
  }

  #returned(state: string, flow: StoredFlow | undefined): ReturnedFlow | undefined {
    const secret = flow && this.#ground.secrets.find(flow.secretId);
    if (!secret) return undefined;
    const { id, redirectTo } = flow;
    const intent = flow.intent as FlowIntent;
    return { id, intent, redirectTo, state, content: open(flow, secret), ...derivedOf(id, secret) };
  }

  #resultOf(flow: StoredFlow | undefined): FlowResult | undefined {
    const secret = flow && this.#ground.secrets.find(flow.secretId);
    const profile = secret && open(flow, secret).profile;
    return profile && { id: flow.id, provider: flow.provider, profile };
  }

  #seal(id: string, content: FlowContent): SealedContent {
    const secret = this.#ground.secrets.current;
    const plaintext = Buffer.from(JSON.stringify(content));
    return { encryptedContent: secret.encrypt(purpose, plaintext, id), secretId: secret.id };
  }
}

function open({ id, encryptedContent }: StoredFlow, secret: AuthSecret): FlowContent {
  return JSON.parse(secret.decrypt(purpose, encryptedContent, id).toString()) as FlowContent;
}

function derivedOf(id: string, secret: AuthSecret): Pick<FlowSecrets, 'nonce' | 'codeVerifier'> {
  const derive = (what: string) => secret.mac('sign-in-flow', `${what}:${id}`).toString('base64url');
  return { nonce: derive('nonce'), codeVerifier: derive('verifier') };
}

function isVerified({ codeChallenge }: StoredFlow, codeVerifier: string | undefined): boolean {
  if (codeChallenge === null) return codeVerifier === undefined;
  const given = hash('sha256', codeVerifier ?? '', 'buffer');
  const expected = Buffer.from(codeChallenge, 'base64url');
  return codeVerifier !== undefined && given.length === expected.length && timingSafeEqual(given, expected);
}

/** Of the text: another spelling of the same bytes is another secret. */
const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');
