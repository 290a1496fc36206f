import { standardServiceTests } from '@tenantry/service-tests';
import { notesService } from './fixture/notes-service.ts';

standardServiceTests(notesService());
