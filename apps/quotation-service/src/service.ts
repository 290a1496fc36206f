import { defineBusinessService } from '@tenantry/business-service';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';

/** The quotes of an organization. */
export const service = defineBusinessService({
  manifest: new URL('../package.json', import.meta.url),
  title: 'Tenantry quotation',
  models: Prisma,
  prisma: (adapter) => new PrismaClient({ adapter }),
  features: () => ({}),
});
