import { FeedQuery, PostponingFeedQuery } from '@tenantry/contracts';
import { clientSignal } from '@tenantry/service/failures';
import type { RouteAccess, Service } from '@tenantry/service/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Feed } from './feed.ts';

/** Options of a feed's route. */
interface FeedRoute {
  readonly path: `/internal/${string}`;
  readonly access: RouteAccess;
  readonly feed: Feed;
  readonly answer: TSchema;
  /** Whether a reader may postpone organizations; default: false. */
  readonly postpones?: boolean;
  /** Which entries a reader is notified of; default: all. */
  readonly filter?: (request: FastifyRequest) => (entry: object) => boolean;
}

/** A feed by long poll. The gateway does not route /internal. */
export function feedRoute(
  app: Service,
  { path, access, feed, postpones = false, answer, filter }: FeedRoute,
): void {
  app.get(
    path,
    {
      config: { access },
      logLevel: 'warn',
      schema: {
        hide: true,
        querystring: postpones ? PostponingFeedQuery : FeedQuery,
        response: { 200: answer },
      },
    },
    async (
      request: FastifyRequest<{ Querystring: { after?: string; wait: number; later?: string } }>,
      reply: FastifyReply,
    ) => {
      const { after, wait, later } = request.query;
      const signal = clientSignal(reply);
      const page = await feed.page({ after, waitSeconds: wait, later: later?.split(','), signal });
      const entries = filter ? page.entries.filter(filter(request)) : page.entries;
      return reply.send({ ...page, entries });
    },
  );
  app.addHook('preClose', (done) => {
    feed.release();
    done();
  });
}
