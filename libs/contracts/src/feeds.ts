import { Type, type TSchema } from 'typebox';

/** The query of a feed: by long poll, from the end of the last page. */
export const FeedQuery = Type.Object(
  {
    after: Type.Optional(Type.String({ maxLength: 12_000, description: 'the cursor of the last answer' })),
    wait: Type.Integer({ minimum: 0, maximum: 30, default: 0, description: 'seconds to wait for news' }),
  },
  { additionalProperties: false },
);

const id = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** Maximum organizations that a reader postpones at a time. */
export const postponedMax = 16;

/** The query of a feed whose reader may postpone organizations: their entries come once it no longer names them. */
export const PostponingFeedQuery = Type.Object(
  {
    ...FeedQuery.properties,
    later: Type.Optional(
      Type.String({
        pattern: `^${id}(,${id}){0,${postponedMax - 1}}$`,
        description: 'ids of organizations, separated by commas',
        messages: { pattern: `must be at most ${postponedMax} ids, separated by commas` },
      }),
    ),
  },
  { additionalProperties: false },
);

/** The response status for an unknown cursor: the reader starts over without one. */
export const cursorUnknownStatus = 410;

/** The entries after a cursor; empty at the end of the feed. */
export const FeedPageOf = <Entry extends TSchema>(Entry: Entry) =>
  Type.Object({ cursor: Type.String(), entries: Type.Array(Entry) });
