import { PageMetaSchema } from '@tenantry/envelope';
import { ClosedObject, LineOf, PageQueryOf } from '@tenantry/service/resources';
import { Type, type Static } from 'typebox';

/** An account's e-mail address: kept in lower case, since addresses are compared without regard to it. */
export const EmailSchema = Type.String({
  format: 'email',
  text: 'lowercase',
  examples: ['ada@example.com'],
});

/** A name, shown on one line in mails, lists and tokens. */
export const NameSchema = LineOf(100, { examples: ['Ada Lovelace'] });

/** A password of any length; the policy for new ones is a rule of its own. */
export const PasswordSchema = Type.String({ minLength: 1, examples: ['correct horse battery'] });

/** The password, asked of a user who has one; for most operations, only without a second factor or a recent sign-in. */
export const OwnPassword = Type.Optional(PasswordSchema);

/** Nothing, or the password: users without a second factor who did not just sign in must give it. */
export const OwnPasswordBody = Type.Union([ClosedObject({ password: OwnPassword }), Type.Null()]);

/** A token from a mailed link. */
export const LinkTokenSchema = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'from the mailed link',
  examples: ['the token of the link'],
});

/** A confirmation, and what to do next. */
export const SuccessAnswer = ClosedObject({ success: Type.Literal(true), message: Type.String() });

/** The requested part of a list. */
export const PageQuerySchema = PageQueryOf({});

/** A parsed {@link PageQuerySchema}. */
export type PageQuery = Readonly<Static<typeof PageQuerySchema>>;

/** What every list says about itself. */
export const pageProperties = PageMetaSchema.properties;
