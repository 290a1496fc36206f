export { AuditDetailsOf } from './audit-details.ts';
export { actorAnswer, ActorSchema, userIdOf } from './actors.ts';
export type { AccountActor, Actor, RecordedActor } from './actors.ts';
export { changedFields, changesNothing, partialUpdate } from './changes.ts';
export { changeDetails, shownDetails } from './kept-values.ts';
export type { KeptFields } from './kept-values.ts';
export { commaList } from './comma-list.ts';
export type { CommaList } from './comma-list.ts';
export { consistencyTokenHeader, withGivenToken } from './consistency-tokens.ts';
export {
  IfMatchHeaders,
  WithEntityTag,
  anyVersion,
  entityTag,
  preconditionFailed,
  preconditionOf,
} from './entity-tags.ts';
export type { Precondition } from './entity-tags.ts';
export {
  ClosedObject,
  DateOrTime,
  DecimalOf,
  EmailAddress,
  Figure,
  LineOf,
  LinesOf,
  Nullable,
  Text,
  Timestamp,
  Uuid,
  optional,
} from './fields.ts';
export { PageQueryOf, SearchTerm, SortBy } from './pages.ts';
export { SeriesQuerySchema, SeriesStart, refuseUnknownTimeZone, seriesOf } from './series.ts';
export type { Series, SeriesQuery } from './series.ts';
export { timeZoneNamed } from './time-zones.ts';
export { tidyVatNumber } from './vat-number.ts';
export { Transitions } from './transitions.ts';
