import { withinMs } from '@tenantry/service/calls';
import type { Service } from '@tenantry/service/http';
import { ClosedObject } from '@tenantry/service/resources';
import { Type } from 'typebox';
import type { Ground } from '../ground.ts';

const UptimeSchema = Type.Integer({ minimum: 0, description: 'seconds since the service started' });
const HealthyAnswer = ClosedObject({
  status: Type.Literal('healthy'),
  database: Type.Literal('connected'),
  uptime: UptimeSchema,
});
const UnhealthyAnswer = ClosedObject({
  status: Type.Literal('unhealthy'),
  database: Type.Literal('disconnected'),
  uptime: UptimeSchema,
});

/** The health of this service, in the shape of the auth endpoints. */
export function healthRoutes(app: Service, { database, now }: Pick<Ground, 'database' | 'now'>): void {
  const startedAt = now().getTime();

  app.get(
    '/api/auth/health',
    {
      config: { access: 'public' },
      logLevel: 'warn',
      schema: {
        operationId: 'getAuthHealth',
        tags: ['health'],
        summary: 'Check the service and its database',
        response: { 200: HealthyAnswer, 503: UnhealthyAnswer },
      },
    },
    async (_request, reply) => {
      const uptime = Math.max(0, Math.floor((now().getTime() - startedAt) / 1_000));
      try {
        await withinMs(answerMsMax, database.check(), tooLate);
        return { status: 'healthy' as const, database: 'connected' as const, uptime };
      } catch {
        return reply.code(503).send({ status: 'unhealthy', database: 'disconnected', uptime });
      }
    },
  );
}

/** The timeout of a probe, shorter than that of a request. */
const answerMsMax = 2_000;

function tooLate(): never {
  throw new Error('the database did not answer in time');
}
