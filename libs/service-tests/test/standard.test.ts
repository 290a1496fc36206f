import { standardServiceTests } from '@tenantry/service-tests';
import { canary } from '@tenantry/test-kit';
import { notesArchive, notesService } from './fixture/notes-service.ts';

standardServiceTests(notesService({ archive: notesArchive }), {
  env: { INTERNAL_API_KEY: `${canary}-key-between-services-of-tests` },
});
