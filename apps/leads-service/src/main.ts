import { runService } from '@tenantry/service';
import { service } from './service.ts';

await runService(process, service);
