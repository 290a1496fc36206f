import { ApiError } from '@tenantry/envelope';

/** The place does not belong to this feed, or entries after it have been deleted. */
export function cursorUnknown(): ApiError {
  return new ApiError('CURSOR_UNKNOWN', 'This cursor is not known any more. Read again from the beginning.', {
    statusCode: 410,
    details: [{ field: 'after', rule: 'known', message: 'is not known' }],
  });
}

/** Without the database, "no new entries" cannot be distinguished from "unknown". */
export function feedUnavailable(): ApiError {
  return new ApiError('UPSTREAM_UNAVAILABLE', 'The feed cannot be read at the moment. Try again shortly.', {
    headers: { 'retry-after': '1' },
  });
}
