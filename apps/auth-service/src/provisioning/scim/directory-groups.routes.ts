import type { Service } from '@tenantry/service/http';
import { ClosedObject, Nullable, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { tooManyRoles } from '../../connections/index.ts';
import { actingIn, contextIn, notLetInRefusals, OwnPassword } from '../../ground/index.ts';
import type { StepUpRequirement } from '../../sessions/index.ts';
import type { Groups } from './groups.ts';

interface DirectoryGroupsRoutesOptions {
  readonly groups: Groups;
  readonly stepUp: StepUpRequirement;
}

const tags = ['connections'];
const path = '/api/auth/organization/:organizationId/connections/:connectionId/groups';
const access = 'connections:write';

const ConnectionPath = ClosedObject({ organizationId: Uuid(), connectionId: Uuid() });
const GroupPath = ClosedObject({ organizationId: Uuid(), connectionId: Uuid(), groupId: Uuid() });

const RoleByGroupSchema = Nullable(
  Type.Enum(['member', 'admin'], {
    description: 'what the people in it are, unless they are owners; null if the group says nothing of it',
  }),
);

const GroupSchema = ClosedObject(
  {
    id: Uuid(),
    displayName: Type.String({ description: 'as the directory says it', examples: ['Sales leads'] }),
    role: RoleByGroupSchema,
    people: Type.Integer({ description: 'who are in it' }),
  },
  { title: 'DirectoryGroup' },
);

const GroupListAnswer = ClosedObject({
  groups: Type.Array(GroupSchema, { description: 'by name; at most 1,000' }),
});

const ChangeGroupBody = ClosedObject(
  { role: RoleByGroupSchema, password: OwnPassword },
  { examples: [{ role: 'admin' }] },
);

/** The groups of an organization's directories, and the roles that follow from them, for owners in sessions of their own. */
export function directoryGroupsRoutes(app: Service, { groups, stepUp }: DirectoryGroupsRoutesOptions): void {
  app.get(
    path,
    {
      config: { access, errors: notLetInRefusals },
      schema: {
        operationId: 'listDirectoryGroups',
        tags,
        summary: 'List the groups of the directory behind a connection',
        params: ConnectionPath,
        response: { 200: GroupListAnswer },
      },
    },
    async ({ principal, params: { connectionId } }) => {
      const { id: organizationId } = actingIn(principal);
      return { groups: await groups.listForOwner({ organizationId, connectionId }, principal.user.id) };
    },
  );

  app.patch(
    `${path}/:groupId`,
    {
      config: { access, errors: [...notLetInRefusals, ...stepUp.refusals, tooManyRoles()] },
      schema: {
        operationId: 'updateDirectoryGroup',
        tags,
        summary: 'Say what the people in a group of a directory are',
        description:
          'They have the role at once, and whoever the directory adds later has it too; somebody in several groups has the ' +
          'highest. A group that makes admins has at most 200 people. Whoever leaves the last group with a role is a member. Owners are not concerned, and no group makes one. ' +
          'Sensitive: unless you signed in recently on this device, needs your password or a second factor.',
        params: GroupPath,
        body: ChangeGroupBody,
        response: { 200: ClosedObject({ group: GroupSchema }) },
      },
    },
    async (request) => {
      const { principal, params, body, client } = request;
      const { connectionId, groupId } = params;
      await stepUp.require(principal, { concerns: 'way-in', password: body.password, client });
      return { group: await groups.setRole(contextIn(request), { connectionId, groupId }, body.role) };
    },
  );
}
