//#file mail
import { SuccessOf } from '@tenantry/envelope';
import { EmailAddress, Uuid } from '@tenantry/service-kit/resources';
import { Type } from 'typebox';

const closed = { additionalProperties: false } as const;

/** The body of a request to mail a field note. */
export const LetterSchema = Type.Object({ recipientEmail: EmailAddress() }, { ...closed, title: 'FieldNoteLetter' });

/** The answer, with the id of the message. */
export const LetterAnswer = SuccessOf(Type.Object({ id: Uuid() }, closed));
