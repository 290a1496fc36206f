import { page, success } from '@tenantry/envelope';
import type { Service } from '@tenantry/service-kit';
import type { TenantOf } from '../database.ts';
import { sampleNotFound } from './samples.errors.ts';
import type { Samples } from './samples.ts';
import {
  NewSampleSchema,
  SampleAnswer,
  SampleCreatedAnswer,
  SampleListAnswer,
  SampleListQuerySchema,
  SamplePath,
} from './samples.schemas.ts';

/** What the routes need. */
export interface SamplesRoutesOptions {
  readonly samples: Samples;
  readonly tenantOf: TenantOf;
}

const tags = ['samples'];
const write = { config: { access: 'samples:write' } } as const;

/** The samples API. */
export async function samplesRoutes(
  app: Service,
  { samples, tenantOf }: SamplesRoutesOptions,
): Promise<void> {
  app.get(
    '/api/samples',
    {
      config: { access: 'samples:read', mayReadReplica: true },
      schema: {
        operationId: 'listSamples',
        tags,
        summary: 'List samples',
        querystring: SampleListQuerySchema,
        response: { 200: SampleListAnswer },
      },
    },
    async (request) => {
      const { query } = request;
      const { items, total } = await samples.list(tenantOf(request), query);
      return page(items, { ...query, total });
    },
  );

  app.get(
    '/api/samples/:id',
    {
      config: { access: 'samples:read', errors: [sampleNotFound()] },
      schema: {
        operationId: 'getSample',
        tags,
        summary: 'Get a sample',
        params: SamplePath,
        response: { 200: SampleAnswer },
      },
    },
    async (request) => success(await samples.get(tenantOf(request), request.params.id), request.id),
  );

  app.post(
    '/api/samples',
    {
      ...write,
      schema: {
        operationId: 'createSample',
        tags,
        summary: 'Create a sample',
        body: NewSampleSchema,
        response: { 201: SampleCreatedAnswer },
      },
    },
    async (request, reply) => {
      const { id } = await samples.create(tenantOf(request), request.body);
      reply.code(201).header('location', `/api/samples/${id}`);
      return success({ id }, request.id);
    },
  );
}
