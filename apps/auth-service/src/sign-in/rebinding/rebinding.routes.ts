import { csrfFailed } from '@tenantry/service/browser';
import type { Service } from '@tenantry/service/http';
import { ClosedObject } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { PasswordSchema, tidyBody } from '../../ground/index.ts';
import {
  invalidRefreshToken,
  issuedSessionResponse,
  refreshKey,
  RefreshAnswer,
  RefreshTokenSchema,
  sessionMissing,
  shownRefreshToken,
} from '../../sessions/index.ts';
import { proofOf, tidyCode } from '../second-factors/codes.ts';
import { CodeText } from '../second-factors/second-factors.schemas.ts';
import type { SignInRoutesOptions } from '../wing.ts';
import { passwordRefusals } from '../sign-in.errors.ts';
import { codeRefusals } from '../second-factors/second-factors.errors.ts';

const RebindBody = Type.Union([
  ClosedObject({ refreshToken: Type.Optional(RefreshTokenSchema), password: PasswordSchema }),
  ClosedObject({ refreshToken: Type.Optional(RefreshTokenSchema), code: CodeText }),
]);

/** Continuing a session at another address. */
export function rebindingRoutes(app: Service, options: SignInRoutesOptions): void {
  const { rebinding, limits } = options;

  app.post(
    '/api/auth/session/rebind',
    {
      config: {
        access: 'public',
        errors: [invalidRefreshToken(), sessionMissing(), ...passwordRefusals, ...codeRefusals, csrfFailed()],
      },
      preValidation: tidyBody({ code: tidyCode }),
      schema: {
        operationId: 'rebindSession',
        tags: ['sessions'],
        summary: 'Continue a session at another address',
        description:
          'After 401 SESSION_ADDRESS_CHANGED: the session continues on the same device once you send the password ' +
          'or a code of your second factor. A browser sends its cookie and X-CSRF-Token, any other client `refreshToken`.',
        body: RebindBody,
        response: { 200: RefreshAnswer },
      },
    },
    async (request, reply) => {
      const { body, client } = request;
      const refreshToken = shownRefreshToken(options, request, body.refreshToken);
      if (!refreshToken) throw invalidRefreshToken();
      await limits.refresh.consume(refreshKey(refreshToken, request.ip));
      const proof = 'password' in body ? { password: body.password } : { code: proofOf(body.code) };
      return {
        session: issuedSessionResponse(reply, await rebinding.rebind({ refreshToken, proof, client })),
      };
    },
  );
}
