import { PageOf, SuccessOf, SuccessWithMeta } from '@tenantry/envelope';
import {
  ClosedObject,
  EmailAddress,
  LinesOf,
  Nullable,
  Text,
  Timestamp,
  Uuid,
} from '@tenantry/service/resources';
import { Type } from 'typebox';
import { WarningMeta } from '../quotes/quotes.schemas.ts';
import { languageCodes } from '../wording/languages.ts';

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

/** Why a letter was not delivered. */
const endReasons: readonly string[] = [
  'RECIPIENT_DAILY_LIMIT',
  'SENDER_DAILY_LIMIT',
  'ORGANIZATION_DAILY_LIMIT',
  'QUOTE_REVISED',
  'QUOTE_ANSWERED',
  'CUSTOMER_ERASED',
  'ORGANIZATION_DELETED',
  'SET_ASIDE',
];

const DeliverySchema = ClosedObject(
  {
    id: Uuid(),
    recipientEmail: Text('karin@astrom.example'),
    state: Type.Enum(['waiting', 'delivered', 'failed'], {
      description:
        'delivered: the mail server took it; failed: given up after more than a day of attempts, or for the reason',
    }),
    reason: Nullable(
      Type.Enum([...endReasons], {
        description:
          'why it waits or was not sent, other than a failed attempt: as many quotes were mailed in 24 hours as may be; the quote was revised or answered, its customer erased or the organization deleted meanwhile; it awaits an operator',
      }),
    ),
    attempts: Type.Integer({ minimum: 0 }),
    createdAt: Timestamp(),
    nextAttemptAt: Nullable(Timestamp({ description: 'when it is tried next; null while it is tried' })),
    endedAt: Nullable(Timestamp({ description: 'when it was delivered or given up' })),
  },
  { title: 'Delivery' },
);

/** The response with the mails of a quote. */
export const DeliveryListAnswer = PageOf(DeliverySchema);

/** The response to mailing a quote again. */
export const ResentAnswer = SuccessOf(ClosedObject({ id: Uuid() }));

/** The response to making a link. */
export const QuoteLinkAnswer = SuccessOf(
  ClosedObject({ url: Text('https://tenantry.example/api/quotation/offer?token=quote_…') }),
);
