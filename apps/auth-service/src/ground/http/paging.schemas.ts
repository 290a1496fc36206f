import { Type, type Static } from 'typebox';

/** Which part of a list is wanted. */
export const PageQuerySchema = Type.Object(
  {
    page: Type.Integer({ minimum: 1, default: 1 }),
    pageSize: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
  },
  { additionalProperties: false },
);

/** A parsed {@link PageQuerySchema}. */
export type PageQuery = Readonly<Static<typeof PageQuerySchema>>;

/** What every list says about itself. */
export const pageProperties = {
  total: Type.Integer({ minimum: 0 }),
  page: Type.Integer({ minimum: 1 }),
  pageSize: Type.Integer({ minimum: 1 }),
};
