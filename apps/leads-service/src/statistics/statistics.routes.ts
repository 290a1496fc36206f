import { success, SuccessOf } from '@tenantry/envelope';
import type { Service } from '@tenantry/service/http';
import { ClosedObject, SeriesQuerySchema, SeriesStart } from '@tenantry/service/resources';
import { Type } from 'typebox';
import type { Requests } from '../database.ts';
import { leadStatus } from '../leads/lead-status.ts';
import type { Statistics } from './statistics.ts';

const count = Type.Integer({ minimum: 0 });
const ByStatus = ClosedObject(
  Object.fromEntries(leadStatus.states.map((state) => [state, count])) as Record<
    (typeof leadStatus.states)[number],
    typeof count
  >,
  { title: 'LeadsByStatus' },
);

const StatisticsAnswer = SuccessOf(
  ClosedObject(
    {
      total: Type.Integer({ minimum: 0, description: 'live leads' }),
      byStatus: ByStatus,
      series: Type.Array(
        ClosedObject({
          start: SeriesStart(),
          entered: ByStatus,
        }),
      ),
    },
    { title: 'LeadStatistics' },
  ),
);

/** Counts of leads, for a board and a chart. */
export function statisticsRoutes(
  app: Service,
  { statistics, tenantOf }: Requests & { readonly statistics: Statistics },
): void {
  app.get(
    '/api/leads/statistics',
    {
      config: { access: 'leads:read', mayReadReplica: true },
      schema: {
        operationId: 'getLeadStatistics',
        tags: ['leads'],
        summary: 'Count leads by status, and by day or week',
        description:
          'byStatus counts the leads that are there now. The series counts what happened: how many leads entered each status in each interval, new ones by their creation, whatever became of them. All figures are exact and of one moment. A series has at most 400 intervals.',
        querystring: SeriesQuerySchema,
        response: { 200: StatisticsAnswer },
      },
    },
    async (request) => success(await statistics.read(tenantOf(request), request.query), request.id),
  );
}
