import { defineConfig } from 'prisma/config';

/** The models that this library's tests run on. */
export default defineConfig({ schema: 'test/fixture/schema.prisma' });
