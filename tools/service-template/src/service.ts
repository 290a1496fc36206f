import { defineBusinessService } from '@tenantry/business-service';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';
import { createSampleRepository } from './samples/samples.repository.ts';
import { samplesRoutes } from './samples/samples.routes.ts';
import { createSamples } from './samples/samples.ts';

/** The samples of an organization. */
export const service = defineBusinessService({
  manifest: new URL('../package.json', import.meta.url),
  title: 'Tenantry samples',
  models: Prisma,
  prisma: (adapter) => new PrismaClient({ adapter }),
  features: ({ tenantOf }) => ({
    routes: [(app) => samplesRoutes(app, { samples: createSamples(createSampleRepository()), tenantOf })],
  }),
});
