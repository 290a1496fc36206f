import { ClosedObject, Nullable, Timestamp, Uuid } from '@tenantry/service/resources';
import { Type, type Static } from 'typebox';
import { MembershipSchema, OwnPassword } from '../../ground/index.ts';
import { MakerSchema } from '../makers.ts';

const JoinsSchema = Type.Enum(['nobody', 'member'], {
  description: '`member`: anyone with a confirmed address in the domain may join, as a member',
});

export const DomainPath = ClosedObject({ organizationId: Uuid(), domainId: Uuid() });

export const AddDomainBody = ClosedObject(
  {
    domain: Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'as people write it; without its subdomains, each of which is a domain of its own',
      examples: ['example.com'],
    }),
    joins: JoinsSchema,
    password: OwnPassword,
  },
  { examples: [{ domain: 'example.com', joins: 'nobody' }] },
);

export const ChangeDomainBody = ClosedObject(
  { joins: JoinsSchema, password: OwnPassword },
  { examples: [{ joins: 'nobody' }] },
);

const DomainSchema = ClosedObject(
  {
    id: Uuid(),
    domain: Type.String({
      description: 'in lower case; international labels as A-labels',
      examples: ['xn--mller-dach-9db.example'],
    }),
    joins: JoinsSchema,
    state: Type.Enum(['pending', 'verified', 'missing', 'suspended'], {
      description:
        '`pending` until its record was found; `missing` while the record, which is read daily, is missing: the domain still counts, ' +
        'and is `suspended` when the record was missing three days in a row',
    }),
    record: ClosedObject(
      {
        type: Type.Literal('TXT'),
        name: Type.String({ examples: ['_tenantry-challenge.example.com'] }),
        value: Type.String({ examples: ['PDVjFGfB0YlVLJ2mb3ybk5cPrR1Vcq6Vzq1cE0u3yJk'] }),
      },
      { title: 'DomainRecord', description: 'the DNS record that proves the domain: leave it in place' },
    ),
    createdBy: MakerSchema,
    createdAt: Timestamp(),
    verifiedAt: Nullable(Timestamp({ description: 'null until its record was first found' })),
    suspendedAt: Nullable(Timestamp({ description: 'null unless it is suspended' })),
    readAt: Nullable(
      Timestamp({
        description: 'when the record was last found or missing; null where the domain does not count',
      }),
    ),
  },
  { title: 'Domain' },
);

/** A domain as members with the permission see it. */
export type ShownDomain = Readonly<Static<typeof DomainSchema>>;

export const DomainAnswer = ClosedObject({ domain: DomainSchema });

export const DomainListAnswer = ClosedObject({ domains: Type.Array(DomainSchema) });

export const JoinableAnswer = ClosedObject({
  organizations: Type.Array(
    ClosedObject(
      {
        id: Uuid(),
        name: Type.String({ description: 'display text', examples: ['Analytical Engines'] }),
        domain: Type.String({ description: 'that of your address', examples: ['example.com'] }),
        twoFactorRequired: Type.Boolean({ description: 'every member needs two-factor authentication' }),
      },
      { title: 'JoinableOrganization' },
    ),
  ),
});

export const JoinBody = ClosedObject({ organizationId: Uuid() });

export const JoinedAnswer = ClosedObject({ organization: MembershipSchema });
