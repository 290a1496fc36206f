import { standardServiceTests } from '@tenantry/service-tests';
import { service } from '../src/service.ts';

standardServiceTests(service, {
  catalog: {
    unscoped: { due_work: 'names organizations and rows, for workers that are in no organization yet' },
  },
  statements: {
    functions: {
      'app.fold_text': 'folds the case and the accents of a text',
      array_position: 'finds where an element of an array is',
      lpad: 'fills a number with zeros',
    },
  },
});
