import type { Service } from '@tenantry/service/http';
import { mailedSignInsRoutes } from './methods/mailed/mailed-sign-ins.routes.ts';
import { passkeysRoutes } from './methods/passkeys/passkeys.routes.ts';
import { providersRoutes } from './methods/providers/providers.routes.ts';
import { passwordChangesRoutes } from './password-changes/password-changes.routes.ts';
import { rebindingRoutes } from './rebinding/rebinding.routes.ts';
import { secondFactorsRoutes } from './second-factors/second-factors.routes.ts';
import { signInResponse } from './sign-in.responses.ts';
import { signInRefusals } from './sign-in.errors.ts';
import { continuing, SignInAnswer, SignInBody } from './sign-in.schemas.ts';
import { verificationRoutes } from './verification/verification.routes.ts';
import { waysInRoutes } from './ways-in/ways-in.routes.ts';
import type { SignInRoutesOptions } from './wing.ts';

/** Routes of all sign-in methods. */
export function signInRoutes(app: Service, options: SignInRoutesOptions): void {
  const { signIns, passwords, access } = options;

  app.post(
    '/api/auth/sign-in/email',
    {
      config: { access: 'public', errors: signInRefusals },
      schema: {
        operationId: 'signInWithEmail',
        tags: ['sessions'],
        summary: 'Sign in with e-mail address and password',
        description: continuing,
        body: SignInBody,
        response: { 200: SignInAnswer },
      },
    },
    async (request, reply) => {
      const { body, client } = request;
      const carried = await access.carriedBy(request);
      return signInResponse(reply, await signIns.by(passwords, { ...body, client }, carried));
    },
  );

  mailedSignInsRoutes(app, options);
  passkeysRoutes(app, options);
  providersRoutes(app, options);
  verificationRoutes(app, options);
  secondFactorsRoutes(app, options);
  passwordChangesRoutes(app, options);
  rebindingRoutes(app, options);
  waysInRoutes(app, options);
}
