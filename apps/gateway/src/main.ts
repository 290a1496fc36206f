import { runApp } from '@tenantry/service/http';
import { buildApp, version } from './app.ts';
import { ConfigSchema } from './config.ts';

await runApp(process, { name: 'gateway', version, config: ConfigSchema, build: buildApp });
