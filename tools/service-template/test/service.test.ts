import { standardServiceTests } from '@tenantry/service-tests';
import { service } from '../src/service.ts';

standardServiceTests(service);
