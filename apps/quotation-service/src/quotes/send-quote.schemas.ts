import { SuccessWithMeta } from '@tenantry/envelope';
import { EmailAddress, LinesOf, Timestamp } from '@tenantry/service-kit/resources';
import { Type } from 'typebox';
import { languageCodes } from '../wording/languages.ts';
import { WarningMeta } from './quotes.schemas.ts';

const closed = { additionalProperties: false } as const;

/** The body of sending. */
export const LetterSchema = Type.Object(
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
  { ...closed, title: 'SendQuote' },
);

/** The answer to sending. */
export const QuoteSentAnswer = SuccessWithMeta(
  Type.Object({ status: Type.Literal('sent'), sentAt: Timestamp() }, closed),
  WarningMeta,
);
