/**
 * When a day of the calendar begins in a time zone; by default in that of the browser.
 *
 * @param day `2027-01-31`
 * @returns ISO 8601 UTC
 */
export function startOfDay(day: string, timeZone: string | undefined): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // The second look is for days on which clocks are changed.
  let at = midnight - offsetMs(midnight, timeZone);
  at = midnight - offsetMs(at, timeZone);
  return new Date(at).toISOString();
}

/** How far the clocks of a zone are ahead of UTC. */
function offsetMs(at: number, timeZone: string | undefined): number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - at;
}
