import { standardServiceTests } from '@tenantry/service-tests';
import { service } from '../src/service.ts';

standardServiceTests(service, {
  statements: { functions: { 'app.fold_text': 'folds the case and the accents of a text' } },
});
