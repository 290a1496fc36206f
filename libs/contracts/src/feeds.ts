import { Type, type TSchema } from 'typebox';

/** The query of a feed: by long poll, from the end of the last page. */
export const FeedQuery = Type.Object(
  {
    after: Type.Optional(Type.String({ maxLength: 12_000, description: 'the cursor of the last answer' })),
    wait: Type.Integer({ minimum: 0, maximum: 30, default: 0, description: 'seconds to wait for news' }),
  },
  { additionalProperties: false },
);

/** The response status for an unknown cursor: the reader starts over without one. */
export const cursorUnknownStatus = 410;

/** The entries after a cursor; empty at the end of the feed. */
export const FeedPageOf = <Entry extends TSchema>(Entry: Entry) =>
  Type.Object({ cursor: Type.String(), entries: Type.Array(Entry) });
