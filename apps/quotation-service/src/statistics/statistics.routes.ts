import { SuccessOf, success } from '@tenantry/envelope';
import type { Amount } from '@tenantry/money';
import type { Service } from '@tenantry/service/http';
import { ClosedObject, Nullable, SeriesQuerySchema, SeriesStart, Text } from '@tenantry/service/resources';
import { Type } from 'typebox';
import type { Requests } from '../database.ts';
import { quoteStatus } from '../quotes/quote-status.ts';
import type { Statistics } from './statistics.ts';

const count = Type.Integer({ minimum: 0 });

const totalAmount = Type.Unsafe<Amount>({
  type: ['number', 'string'],
  examples: [4399.85],
  description: 'exact: a number of up to 15 digits, and a larger sum as its decimal text',
});
const amounts = Type.Array(ClosedObject({ currency: Text('SEK'), quotes: count, totalAmount }));
const CountedQuotes = ClosedObject({ quotes: count, amounts }, { title: 'CountedQuotes' });

const StatisticsAnswer = SuccessOf(
  ClosedObject(
    {
      statuses: Type.Array(
        ClosedObject({
          status: quoteStatus.Schema,
          quotes: count,
          amounts,
        }),
      ),
      waiting: CountedQuotes,
      expired: CountedQuotes,
      acceptance: ClosedObject({
        rate: Nullable(
          Type.Number({ minimum: 0, maximum: 1, description: 'null before any quote was decided on' }),
        ),
        accepted: count,
        decided: Type.Integer({ minimum: 0, description: 'accepted and rejected together' }),
      }),
      series: Type.Array(
        ClosedObject({
          start: SeriesStart(),
          sent: CountedQuotes,
          accepted: CountedQuotes,
          rejected: CountedQuotes,
        }),
      ),
    },
    { title: 'QuoteStatistics' },
  ),
);

/** Statistics of an organization's quotes. */
export function statisticsRoutes(
  app: Service,
  { statistics, tenantOf }: Requests & { readonly statistics: Statistics },
): void {
  app.get(
    '/api/quotation/statistics',
    {
      config: { access: 'quotes:read', mayReadReplica: true },
      schema: {
        operationId: 'getQuoteStatistics',
        tags: ['statistics'],
        summary: 'Count quotes and their value by status, and by day or week',
        description:
          'statuses, waiting, expired and acceptance count the newest revision of each quote: what was sent waits for an answer until its validity has passed. The series counts what happened: how many quotes were sent, accepted and rejected in each interval, each revision for itself, whatever became of it. Amounts include VAT. All figures are of one moment. A series has at most 400 intervals.',
        querystring: SeriesQuerySchema,
        response: { 200: StatisticsAnswer },
      },
    },
    async (request) => success(await statistics.read(tenantOf(request), request.query), request.id),
  );
}
