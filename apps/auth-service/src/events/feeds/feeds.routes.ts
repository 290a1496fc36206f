import type { RouteAccess, Service } from '@tenantry/service-kit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { Feed } from './feed.ts';
import { FeedQuery } from './feeds.schemas.ts';

/** How a feed is answered. */
export interface FeedRoute {
  readonly path: `/internal/${string}`;
  readonly access: RouteAccess;
  readonly feed: Feed;
  readonly answer: TSchema;
}

/** A feed by long poll. The gateway routes nothing under /internal. */
export function feedRoute(app: Service, { path, access, feed, answer }: FeedRoute): void {
  app.get(
    path,
    {
      config: { access },
      logLevel: 'warn',
      schema: { hide: true, querystring: FeedQuery, response: { 200: answer } },
    },
    async (
      { query }: FastifyRequest<{ Querystring: { after?: string; wait: number } }>,
      reply: FastifyReply,
    ) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const { after, wait } = query;
      return reply.send(await feed.page({ after, waitSeconds: wait, signal: gone.signal }));
    },
  );
  app.addHook('preClose', (done) => {
    feed.release();
    done();
  });
}
