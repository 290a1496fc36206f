import { Type } from 'typebox';
import {
  EmailSchema,
  IssuedSessionSchema,
  PasswordSchema,
  UserSchema,
} from '../sessions/sessions.schemas.ts';

const closed = { additionalProperties: false } as const;

export const SignUpBody = Type.Object(
  {
    email: EmailSchema,
    password: PasswordSchema,
    name: Type.String({ minLength: 1, maxLength: 100 }),
  },
  closed,
);

export const SignUpAnswer = Type.Object({ user: UserSchema, session: IssuedSessionSchema }, closed);
