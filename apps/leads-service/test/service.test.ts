import { standardServiceTests } from '@tenantry/service-tests';
import { service } from '../src/service.ts';

standardServiceTests(service, {
  catalog: {
    unscoped: { due_work: 'names organizations and rows, for workers that are in no organization yet' },
  },
  statements: {
    functions: {
      'app.fold_text': 'folds the case and the accents of a text',
      timezone: 'AT TIME ZONE: moves a moment into a time zone',
    },
  },
});
