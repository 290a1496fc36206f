import { PageOf, SuccessOf } from '@tenantry/envelope';
import {
  ClosedObject,
  commaList,
  EmailAddress,
  LineOf,
  PageQueryOf,
  SearchTerm,
  SortBy,
  Text,
  Timestamp,
  Uuid,
  optional,
} from '@tenantry/service/resources';
import { Type } from 'typebox';
import { namePartMax } from './names.ts';
import { userOrders } from './user.ts';

const fields = {
  firstName: LineOf(namePartMax, { examples: ['Grace'] }),
  lastName: LineOf(namePartMax, { examples: ['Hopper'] }),
};

/** What a user shows beyond the usual fields. */
export const extraFields = commaList(['disabled', 'role'], {
  description:
    'adds these fields to each user: whether the account is disabled, and the role in the organization',
  examples: ['role'],
});

/** The query of a single user. */
export const UserQuerySchema = ClosedObject({ include: Type.Optional(extraFields.Schema) });

/** The path of a single user. */
export const UserPath = ClosedObject({ id: Uuid() });

/** The query of the list. */
export const UserListQuerySchema = PageQueryOf({
  search: SearchTerm('name or e-mail', 'hopper'),
  sort: SortBy(userOrders),
  include: Type.Optional(extraFields.Schema),
});

/** The body of a new user. */
export const NewUserSchema = ClosedObject(
  {
    email: EmailAddress({ examples: ['grace@example.com'] }),
    password: Type.String({ minLength: 8, writeOnly: true, examples: ['correct horse battery'] }),
    ...fields,
  },
  { title: 'NewUser' },
);

/** The body of a change; omitted fields are unchanged. */
export const UserChangesSchema = ClosedObject(optional(fields), {
  minProperties: 1,
  title: 'UserChanges',
});

const named = {
  id: Uuid(),
  email: Text('grace@example.com'),
  firstName: Text('Grace'),
  lastName: Text('Hopper'),
};
const UserSchema = ClosedObject(
  {
    ...named,
    createdAt: Timestamp(),
    disabled: Type.Optional(
      Type.Boolean({ description: 'the account cannot sign in; only with `include=disabled`' }),
    ),
    role: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        enum: ['owner', 'admin', 'member'],
        description: 'in the organization; with `include=role` alone',
      }),
    ),
  },
  { title: 'User' },
);

/** The response of the list. */
export const UserListAnswer = PageOf(UserSchema);

/** The response about one user. */
export const UserAnswer = SuccessOf(UserSchema);

/** The response to a creation. */
export const UserCreatedAnswer = SuccessOf(ClosedObject({ id: named.id, email: named.email }));

/** The response to a change. */
export const UserChangedAnswer = SuccessOf(ClosedObject(named));
