import { Type } from 'typebox';

/** How a feed is asked. */
export const FeedQuery = Type.Object(
  {
    after: Type.Optional(Type.String({ maxLength: 12_000, description: 'the cursor of the last answer' })),
    wait: Type.Integer({ minimum: 0, maximum: 30, default: 0, description: 'seconds to wait for news' }),
  },
  { additionalProperties: false },
);
