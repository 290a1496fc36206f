import { once } from 'node:events';
import type {} from '@fastify/swagger';
import { Type } from 'typebox';
import { createService, runApp } from '@tenantry/service/http';
import { settings } from '@tenantry/service/settings';

/** A whole service in a process of its own, for the tests of starting and stopping. */
const ConfigSchema = Type.Object({
  ...settings.standardSettings,
  PORT: settings.port(0),
  INTERNAL_PORT: settings.internalPort,
});

await runApp(process, {
  name: 'fixture-service',
  version: '1.2.3',
  config: ConfigSchema,
  build: async (config, logger) => {
    const app = await createService({
      name: 'fixture-service',
      version: '1.2.3',
      logger,
      failures: 'envelope',
      openapi: { title: 'Fixture', path: '/openapi.json' },
      internalPort: config.INTERNAL_PORT,
    });
    const slowly = async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return { done: true };
    };
    const route = { config: { access: 'public' }, schema: { hide: true } } as const;
    app.get('/slow', route, slowly);
    app.get('/internal/slow', route, slowly);
    app.get('/internal/last', route, async () => {
      logger.info('the last answer is under way');
      await once(process, 'SIGTERM');
      return slowly();
    });
    return app;
  },
});
