import { Type } from 'typebox';

/** An e-mail address; {@link tidyBody} trims and lower-cases it before it is checked. */
export const EmailSchema = Type.String({ format: 'email' });

/** A password of any length; the policy for new ones is a rule of its own. */
export const PasswordSchema = Type.String({ minLength: 1 });

/** It is done, and what to do next. */
export const SuccessAnswer = Type.Object(
  { success: Type.Literal(true), message: Type.String() },
  { additionalProperties: false },
);
