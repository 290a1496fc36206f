import { createEventReader, defineBusinessService, peerSettings } from '@tenantry/business-service';
import { createAccounts } from './accounts/accounts.ts';
import { Prisma, PrismaClient } from './generated/prisma/client.ts';
import { createUserRepository } from './users/users.repository.ts';
import { Renamings } from './users/renamings.ts';
import { userSuggestionsRoutes } from './users/user-suggestions.routes.ts';
import { usersRoutes } from './users/users.routes.ts';
import { createUsers } from './users/users.ts';

/** The directory of an organization: who works in it. */
export const service = defineBusinessService({
  manifest: new URL('../package.json', import.meta.url),
  title: 'Tenantry users',
  models: Prisma,
  unscoped: {
    OrganizationEnd: 'names organizations that were deleted, for workers that are in none',
    EventReader: 'where the reader of events stands',
    EventSubject: 'names ids alone, for a reader that is in no organization yet',
  },
  prisma: (adapter) => new PrismaClient({ adapter }),
  settings: peerSettings,
  features: ({ config, database, logger, tenantOf, contextOf }) => {
    const repository = createUserRepository();
    // Version 2 keeps whether an account is disabled, version 3 roles.
    const projection = { version: 3, member: repository };
    const reader = createEventReader({ config, database, logger, projection });
    const renamings = new Renamings();
    const users = createUsers({
      ...{ repository, reader, renamings },
      accounts: createAccounts({ config, logger }),
    });
    return {
      routes: [
        (app) => userSuggestionsRoutes(app, { tenantOf }),
        (app) => usersRoutes(app, { users, tenantOf, contextOf }),
      ],
      background: [reader, renamings],
    };
  },
});
