import { SuccessOf } from '@tenantry/envelope';
import { ClosedObject, EmailAddress, Uuid } from '@tenantry/service/resources';

/** The body of a request to mail a field note. */
export const LetterSchema = ClosedObject({ recipientEmail: EmailAddress() }, { title: 'FieldNoteLetter' });

/** The answer, with the id of the message. */
export const LetterAnswer = SuccessOf(ClosedObject({ id: Uuid() }));
