import { runService } from '@tenantry/service-kit';
import { buildApp } from './app.ts';
import { ConfigSchema } from './config.ts';

await runService(process, { name: 'gateway', config: ConfigSchema, build: buildApp });
