import { Type, type TSchema } from 'typebox';

/** How a feed is asked: by long poll, from where the last page ended. */
export const FeedQuery = Type.Object(
  {
    after: Type.Optional(Type.String({ maxLength: 12_000, description: 'the cursor of the last answer' })),
    wait: Type.Integer({ minimum: 0, maximum: 30, default: 0, description: 'seconds to wait for news' }),
  },
  { additionalProperties: false },
);

/** The status of an answer to a cursor that the feed does not know: the reader begins again, without one. */
export const cursorUnknownStatus = 410;

/** What came after the cursor that was asked about; no entries at the end of the feed. */
export const FeedPageOf = <Entry extends TSchema>(Entry: Entry) =>
  Type.Object({ cursor: Type.String(), entries: Type.Array(Entry) });
