import { ClosedObject, Timestamp, Uuid } from '@tenantry/service/resources';
import { Type } from 'typebox';
import { EmailSchema, MembershipSchema, pageProperties, RoleSchema } from '../../ground/index.ts';

/** A mailed token; the schema does not check its kind. */
export const InvitationTokenSchema = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'the token of the mailed invitation',
  examples: ['the token of the link'],
});

export const InviteBody = ClosedObject(
  { email: EmailSchema, role: RoleSchema },
  { examples: [{ email: 'grace@example.com', role: 'member' }] },
);

export const InvitationPath = ClosedObject({ organizationId: Uuid(), invitationId: Uuid() });

export const AnswerInvitationBody = ClosedObject({ token: InvitationTokenSchema });

const InvitationSchema = ClosedObject(
  {
    id: Uuid(),
    email: Type.String(),
    role: RoleSchema,
    invitedBy: Type.Union([ClosedObject({ userId: Uuid(), name: Type.String() }), Type.Null()], {
      description: 'null once the account is gone',
    }),
    isSent: Type.Boolean({
      description: 'false where an import has prepared it: invite the address to send it',
    }),
    createdAt: Timestamp(),
    expiresAt: Timestamp(),
  },
  { title: 'Invitation' },
);

export const InvitationAnswer = ClosedObject({ invitation: InvitationSchema });

export const InvitationTokenPath = ClosedObject({ token: InvitationTokenSchema });

/** An invitation, for the page on which its recipient responds. */
export const ShownInvitationAnswer = ClosedObject({
  invitation: ClosedObject(
    {
      organizationName: Type.String({ examples: ['Analytical Engines'] }),
      inviterName: Type.Union([Type.String({ examples: ['Ada Lovelace'] }), Type.Null()], {
        description: 'null once the account is gone',
      }),
      email: Type.String({ description: 'the invited address', examples: ['bob@example.com'] }),
      role: RoleSchema,
      expiresAt: Timestamp(),
    },
    { title: 'ShownInvitation' },
  ),
});

export const InvitationListAnswer = ClosedObject({
  invitations: Type.Array(InvitationSchema),
  ...pageProperties,
});

export const AcceptedInvitationAnswer = ClosedObject({ organization: MembershipSchema });
