import { defineBusinessService } from '@tenantry/business-service';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';

/** The directory of an organization: who works in it. */
export const service = defineBusinessService({
  manifest: new URL('../package.json', import.meta.url),
  title: 'Tenantry users',
  models: Prisma,
  prisma: (adapter) => new PrismaClient({ adapter }),
  features: () => ({}),
});
