import { randomUUID } from 'node:crypto';
import { createLogger } from '@tenantry/service/logging';
import { testLog } from '@tenantry/test-kit';
import { afterAll } from 'vitest';
import { createGround } from '../../src/ground/index.ts';
import type { Proof } from '../../src/sign-in/index.ts';
import { createWings } from '../../src/wings.ts';
import { openDatabase, type RunningService } from './service.ts';

/** A sign-in by a connection of an organization. */
export interface ConnectionSignIn {
  readonly userId: string;
  readonly organizationId: string;
  /** Default: a connection of its own. */
  readonly connectionId?: string;
  /** How surely the identity provider has proven the user. Default: `aal1`. */
  readonly acr?: 'aal1' | 'aal2';
  readonly authenticatedAt?: Date;
  readonly endsAt?: Date | null;
  /** The device that it is made from, as its headers name it. Default: one that is used nowhere else. */
  readonly deviceId?: string;
  /** Whether the connection still stands, in the transaction that starts the session. */
  readonly requireValid?: Proof['requireValid'];
}

/** The wings of a service, on its database: they start sessions as a connection does. */
export function connectionsOf({ config }: RunningService, now: () => Date = () => new Date()) {
  const logger = createLogger({ name: 'test', level: 'trace', destination: testLog() });
  const database = openDatabase(config, logger);
  afterAll(() => database.close());
  const wings = createWings(createGround({ config, logger, database, now }));

  /** The session that a sign-in starts, or its challenge. */
  async function begin(signIn: ConnectionSignIn) {
    const { userId, organizationId, connectionId = randomUUID(), endsAt = null, acr = 'aal1' } = signIn;
    const { deviceId = `device-${randomUUID()}`, authenticatedAt, requireValid } = signIn;
    const proof: Proof = {
      userId,
      amr: acr === 'aal2' ? ['sso', 'mfa'] : ['sso'],
      acr,
      authenticatedAt,
      confinement: { organizationId, connectionId, endsAt },
      requireValid: requireValid ?? (async () => undefined),
    };
    const client = { deviceId, userAgent: null, ipAddress: '127.0.0.1' };
    return wings.signIn.signIns.by({ prove: async () => proof }, { client });
  }

  return {
    wings,
    database,
    begin,
    /** A started session, as a client has it. */
    async start(signIn: ConnectionSignIn) {
      const deviceId = signIn.deviceId ?? `device-${randomUUID()}`;
      const begun = await begin({ ...signIn, deviceId });
      if ('challenge' in begun) throw new Error('a second factor has to follow');
      const { token, session, refreshToken = '' } = begun;
      return { token, refreshToken, sessionId: session.id, headers: { 'x-device-id': deviceId } };
    },
    /** A challenge that waits for the second factor. */
    async challenge(signIn: ConnectionSignIn): Promise<string> {
      const begun = await begin(signIn);
      if (!('challenge' in begun)) throw new Error('no second factor has to follow');
      return begun.challenge.token;
    },
    /** Ends what a connection has started, as its organization does. */
    end({
      organizationId,
      connectionId,
    }: {
      readonly organizationId: string;
      readonly connectionId: string;
    }) {
      return database.within({ organizationId }).transaction(async (tx) => {
        await wings.organizations.memberships.lock(tx);
        await wings.sessions.endings.endSessionsOf(tx, { connectionId });
      });
    },
  };
}
