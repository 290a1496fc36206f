import type { Service } from '@tenantry/service/http';
import { actingIn, contextIn, notLetInRefusals, OrganizationPath } from '../../ground/index.ts';
import { issuedSessionResponse, renewalRefusals } from '../../sessions/index.ts';
import { ownTwoFactorFirst } from '../organizations.errors.ts';
import type { OrganizationsRoutesOptions } from '../wing.ts';
import { connectionOff, connectionUntried } from './sso-requirement.errors.ts';
import {
  ChangedSsoRequirementAnswer,
  SsoRequirementAnswer,
  SsoRequirementBody,
} from './sso-requirement.schemas.ts';

const tags = ['connections'];
const path = '/api/auth/organization/:organizationId/sso-requirement';
const access = 'connections:write';

/** Routes of owners to require single sign-on. */
export function ssoRequirementRoutes(
  app: Service,
  { ssoRequirement, sessions, stepUp }: OrganizationsRoutesOptions,
): void {
  app.get(
    path,
    {
      config: { access, errors: notLetInRefusals },
      schema: {
        operationId: 'getSsoRequirement',
        tags,
        summary: 'Get whether an organization requires single sign-on',
        params: OrganizationPath,
        response: { 200: SsoRequirementAnswer },
      },
    },
    async ({ principal }) => ({
      requirement: await ssoRequirement.get(actingIn(principal).id, principal.user.id),
    }),
  );

  app.put(
    path,
    {
      config: {
        access,
        errors: [
          ...notLetInRefusals,
          ...stepUp.refusals,
          ...renewalRefusals,
          ownTwoFactorFirst(),
          connectionOff(),
          connectionUntried(),
        ],
      },
      schema: {
        operationId: 'setSsoRequirement',
        tags,
        summary: 'Require single sign-on of the members of an organization, or do so no more',
        description:
          'Sensitive. From a session of `aal2`, within an hour of your own sign-in by the connection. Requiring it revokes the access ' +
          'tokens of all members: continue with the one in `session`. All owners are written to.',
        params: OrganizationPath,
        body: SsoRequirementBody,
        response: { 200: ChangedSsoRequirementAnswer },
      },
    },
    async (request, reply) => {
      const { principal, body, client, byCookie } = request;
      const { required, password } = body;
      await stepUp.require(principal, { concerns: 'way-in', password, client });
      const context = contextIn(request);
      const { acr } = principal.session;
      const { requirement, hasChanged } = await ssoRequirement.set(context, { required, acr });
      const isRevoked = hasChanged && required;
      if (!isRevoked || principal.tokenOrganizationId !== context.organizationId) return { requirement };
      const renewal = await sessions.refresh.renewalFor(request);
      const renewed = await sessions.reissue(principal, renewal);
      return { requirement, session: issuedSessionResponse(reply, renewed, byCookie ? 'set' : 'keep') };
    },
  );
}
