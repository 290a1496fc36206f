import { Timestamp, Uuid } from '@tenantry/service-kit/resources';
import { Type } from 'typebox';
import { EmailSchema, MembershipSchema, pageProperties, RoleSchema } from '../../ground/index.ts';

const closed = { additionalProperties: false } as const;

/** A mailed token as it comes back: what it is good for is not the schema's to say. */
export const InvitationTokenSchema = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'the token of the mailed invitation',
  examples: ['the token of the link'],
});

export const InviteBody = Type.Object(
  { email: EmailSchema, role: RoleSchema },
  { ...closed, examples: [{ email: 'grace@example.com', role: 'member' }] },
);

export const InvitationPath = Type.Object({ organizationId: Uuid(), invitationId: Uuid() }, closed);

export const AnswerInvitationBody = Type.Object({ token: InvitationTokenSchema }, closed);

const InvitationSchema = Type.Object(
  {
    id: Uuid(),
    email: Type.String(),
    role: RoleSchema,
    invitedBy: Type.Union([Type.Object({ userId: Uuid(), name: Type.String() }, closed), Type.Null()], {
      description: 'null once the account is gone',
    }),
    createdAt: Timestamp(),
    expiresAt: Timestamp(),
  },
  { ...closed, title: 'Invitation' },
);

export const InvitationAnswer = Type.Object({ invitation: InvitationSchema }, closed);

export const InvitationTokenPath = Type.Object({ token: InvitationTokenSchema }, closed);

/** What an invitation offers, for the page on which its recipient answers. */
export const ShownInvitationAnswer = Type.Object(
  {
    invitation: Type.Object(
      {
        organizationName: Type.String({ examples: ['Analytical Engines'] }),
        inviterName: Type.Union([Type.String({ examples: ['Ada Lovelace'] }), Type.Null()], {
          description: 'null once the account is gone',
        }),
        email: Type.String({ description: 'the address that it is good for', examples: ['bob@example.com'] }),
        role: RoleSchema,
        expiresAt: Timestamp(),
      },
      { ...closed, title: 'ShownInvitation' },
    ),
  },
  closed,
);

export const InvitationListAnswer = Type.Object(
  { invitations: Type.Array(InvitationSchema), ...pageProperties },
  closed,
);

export const AcceptedInvitationAnswer = Type.Object({ organization: MembershipSchema }, closed);
