import { runBusinessService } from '@tenantry/business-service';
import { service } from './service.ts';

await runBusinessService(process, service);
