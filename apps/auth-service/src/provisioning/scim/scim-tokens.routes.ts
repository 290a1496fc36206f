import { scimPath, scimTokenPrefix } from '@tenantry/contracts';
import type { Service } from '@tenantry/service/http';
import { ClosedObject, Nullable, Timestamp, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { actingIn, contextIn, notLetInRefusals, OwnPasswordBody, type Ground } from '../../ground/index.ts';
import { MakerSchema } from '../../organizations/index.ts';
import type { StepUpRequirement } from '../../sessions/index.ts';
import { directoryAddress, type Directories } from './directories.ts';
import { scimTokens as written, tooManyTokens, type ScimTokens } from './scim-tokens.ts';

interface ScimTokensRoutesOptions extends Pick<Ground, 'config'> {
  readonly directories: Directories;
  readonly scimTokens: ScimTokens;
  readonly stepUp: StepUpRequirement;
}

const tags = ['connections'];
const path = '/api/auth/organization/:organizationId/connections/:connectionId/scim-tokens';
const access = 'connections:write';

const ConnectionPath = ClosedObject({ organizationId: Uuid(), connectionId: Uuid() });
const ScimTokenPath = ClosedObject({ organizationId: Uuid(), connectionId: Uuid(), tokenId: Uuid() });

const ScimTokenSchema = ClosedObject(
  {
    id: Uuid(),
    ending: Type.String({ description: 'the last characters of the token', examples: ['x7Qf'] }),
    createdBy: MakerSchema,
    createdAt: Timestamp(),
    lastUsedAt: Nullable(Timestamp({ description: 'to the hour; null if never' })),
  },
  { title: 'ScimToken' },
);

const ScimTokenListAnswer = ClosedObject({
  address: Type.String({
    description: 'where the directory provisions: its "Tenant URL" or "SCIM base URL"',
    examples: ['https://api.example.com/api/auth/scim/v2/8b1…/3f2…'],
  }),
  people: Type.Integer({ description: 'whom the directory provisions, those who have left included' }),
  scimTokens: Type.Array(ScimTokenSchema, { description: 'in order of creation' }),
});

const CreatedScimTokenAnswer = ClosedObject({
  token: Type.String({
    pattern: written.pattern,
    messages: { pattern: `must be a token, which begins with ${scimTokenPrefix}` },
    description: 'shown this once: only its digest is stored',
    examples: [`${scimTokenPrefix}${'x'.repeat(86)}`],
  }),
  scimToken: ScimTokenSchema,
});

/** The tokens of an organization's directories, for owners in sessions of their own. */
export function scimTokensRoutes(
  app: Service,
  { directories, scimTokens, stepUp, config }: ScimTokensRoutesOptions,
): void {
  app.get(
    path,
    {
      config: { access, errors: notLetInRefusals },
      schema: {
        operationId: 'listScimTokens',
        tags,
        summary: 'List the tokens of the directory behind a connection',
        params: ConnectionPath,
        response: { 200: ScimTokenListAnswer },
      },
    },
    async ({ principal, params }) => {
      const { id: organizationId } = actingIn(principal);
      const { connectionId } = params;
      const place = { organizationId, connectionId };
      return {
        scimTokens: await scimTokens.list(organizationId, connectionId, principal.user.id),
        address: directoryAddress(config, place),
        people: await directories.count(place),
      };
    },
  );

  app.post(
    path,
    {
      config: { access, errors: [...notLetInRefusals, ...stepUp.refusals, tooManyTokens()] },
      schema: {
        operationId: 'createScimToken',
        tags,
        summary: 'Create a token for the directory behind a connection',
        description:
          `The directory provisions the people of the organization with it, by SCIM 2.0 at \`${scimPath}/{organizationId}/{connectionId}\`. ` +
          'The answer shows the token, this once. It works until it or its connection is deleted, whether or not the connection ' +
          'signs people in. Two may live at once. Sensitive: unless you signed in recently on this device, needs your password or ' +
          'a second factor.',
        params: ConnectionPath,
        body: OwnPasswordBody,
        response: { 201: CreatedScimTokenAnswer },
      },
    },
    async (request, reply) => {
      const { principal, params, body, client } = request;
      await stepUp.require(principal, { concerns: 'way-in', password: body?.password, client });
      return reply.code(201).send(await scimTokens.create(contextIn(request), params.connectionId));
    },
  );

  app.delete(
    `${path}/:tokenId`,
    {
      config: { access, errors: [...notLetInRefusals, ...stepUp.refusals] },
      schema: {
        operationId: 'deleteScimToken',
        tags,
        summary: 'Delete a token of a directory',
        description: 'Sensitive. It is refused from then on.',
        params: ScimTokenPath,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params, client } = request;
      await stepUp.require(principal, { concerns: 'others', client });
      const { connectionId, tokenId: id } = params;
      await scimTokens.remove(contextIn(request), { connectionId, id });
      return reply.code(204).send(null);
    },
  );
}
