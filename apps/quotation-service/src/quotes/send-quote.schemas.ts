import { SuccessWithMeta } from '@tenantry/envelope';
import { ClosedObject, EmailAddress, LinesOf, Timestamp } from '@tenantry/service-kit/resources';
import { Type } from 'typebox';
import { languageCodes } from '../wording/languages.ts';
import { WarningMeta } from './quotes.schemas.ts';

/** The body of the request to send. */
export const LetterSchema = ClosedObject(
  {
    recipientEmail: EmailAddress({ examples: ['karin@astrom.example'] }),
    message: Type.Optional(LinesOf(2000, { minLength: 0, examples: ['As discussed on site.'] })),
    language: Type.Optional(
      Type.Enum([...languageCodes], {
        description:
          'of the letter and its PDF, remembered for the customer; by default the one that is remembered',
      }),
    ),
  },
  { title: 'SendQuote' },
);

/** The response to sending. */
export const QuoteSentAnswer = SuccessWithMeta(
  ClosedObject({ status: Type.Literal('sent'), sentAt: Timestamp() }),
  WarningMeta,
);
