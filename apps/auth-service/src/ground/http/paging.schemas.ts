import { PageMetaSchema } from '@tenantry/envelope';
import { PageQueryOf } from '@tenantry/service-kit/resources';
import type { Static } from 'typebox';

/** The requested part of a list. */
export const PageQuerySchema = PageQueryOf({});

/** A parsed {@link PageQuerySchema}. */
export type PageQuery = Readonly<Static<typeof PageQuerySchema>>;

/** What every list says about itself. */
export const pageProperties = PageMetaSchema.properties;
