import { permissions } from '@tenantry/contracts';
import { sessionCookies } from '@tenantry/service/browser';
import type { Service } from '@tenantry/service/http';
import type { FastifyRequest } from 'fastify';
import { listedResponse, type OrganizationsWing } from '../organizations/index.ts';
import {
  currentSessionResponse,
  rememberBrowser,
  type SessionAccess,
  type Sessions,
} from '../sessions/index.ts';
import type { Config } from '../config.ts';
import type { SignIn } from '../sign-in/index.ts';
import type { Tokens } from '../tokens/index.ts';
import { StartAnswer, type SignedOutReason } from './start.schemas.ts';
import type { Accounts } from './wing.ts';

interface StartRoutesOptions {
  readonly access: Pick<SessionAccess, 'alsoSignedIn'>;
  readonly tokens: Pick<Tokens, 'csrfTokens'>;
  readonly sessions: Pick<Sessions, 'refresh' | 'refreshTokens'>;
  readonly organizations: Pick<OrganizationsWing, 'members'>;
  readonly signIn: Pick<SignIn, 'secondFactors' | 'signInOffer'>;
  readonly accounts: Pick<Accounts, 'profiles'>;
  readonly singleSignOn: { isOn(): Promise<boolean> };
  readonly config: Pick<Config, 'PASSWORD_MIN_LENGTH' | 'REQUIRE_EMAIL_VERIFICATION'>;
}

const signedOut = {
  user: null,
  session: null,
  organization: null,
  organizations: [],
  permissions: [],
  twoFactor: null,
};

/** Everything that a front end needs when it opens, in one request; being signed out is not an error. */
export function startRoutes(app: Service, options: StartRoutesOptions): void {
  const { access, sessions } = options;
  const { csrfTokens } = options.tokens;
  const { members } = options.organizations;
  const { secondFactors, signInOffer } = options.signIn;
  const { profiles } = options.accounts;
  const signUp = {
    passwordMinLength: options.config.PASSWORD_MIN_LENGTH,
    emailVerificationRequired: options.config.REQUIRE_EMAIL_VERIFICATION,
  };

  /** Why the caller is not signed in; null for one who is. */
  async function reasonAgainst(request: FastifyRequest): Promise<SignedOutReason | null> {
    try {
      await access.alsoSignedIn(request);
      return null;
    } catch (error) {
      const { statusCode, code, reason } = error as { statusCode?: number; code: string; reason?: string };
      if (statusCode !== 401) throw error;
      return (reason ?? code) as SignedOutReason;
    }
  }

  /** For a caller who is not signed in: whether the refresh cookie can renew a session, and the CSRF token for that. */
  async function signedOutResponse(request: FastifyRequest, reason: SignedOutReason) {
    const { access: cookie, refresh } = sessionCookies(request.cookies);
    const refreshToken = sessions.refreshTokens.read(refresh);
    const holder =
      refreshToken && (await sessions.refresh.holderOf({ refreshToken, client: request.client }));
    if (!refreshToken || !holder)
      return { status: 'signed-out' as const, reason, csrfToken: null, ...signedOut };
    const csrfToken = csrfTokens.of(refreshToken.sessionId, cookie);
    return { status: 'renewable' as const, reason, csrfToken, ...signedOut };
  }

  async function signedInResponse({ principal, byCookie, cookies }: FastifyRequest) {
    const { session, organization } = principal;
    const [user, memberships, twoFactor] = await Promise.all([
      profiles.get(principal),
      members.listOf(principal),
      secondFactors.state(principal.user.id),
    ]);
    return {
      status: 'signed-in' as const,
      reason: null,
      csrfToken: byCookie ? csrfTokens.of(session.id, sessionCookies(cookies).access) : null,
      ...currentSessionResponse(principal),
      user,
      organizations: memberships.map((membership) => listedResponse(membership, principal)),
      permissions: organization ? [...permissions[organization.role]] : [],
      twoFactor,
    };
  }

  app.get(
    '/api/auth/start',
    {
      config: { access: 'public', confined: true },
      schema: {
        operationId: 'getStart',
        tags: ['sessions'],
        summary: 'Get all that a front end needs when it opens',
        description:
          'Session, organizations, permissions, second factor and CSRF token in one response, which is also 200 for a caller ' +
          'who is signed out.',
        response: { 200: StartAnswer },
      },
    },
    async (request, reply) => {
      // Of several requests at once each would give a new browser another name.
      rememberBrowser(reply);
      const reason = await reasonAgainst(request);
      const [answer, singleSignOn] = await Promise.all([
        reason === null ? signedInResponse(request) : signedOutResponse(request, reason),
        options.singleSignOn.isOn(),
      ]);
      return { ...answer, signIn: { ...signInOffer, singleSignOn }, signUp };
    },
  );
}
