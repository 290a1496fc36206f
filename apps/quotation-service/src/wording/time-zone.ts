/** The offset of a time zone from UTC at a given time, in milliseconds. */
function offsetMs(timeZone: string, at: number): number {
  const parts = formatOf(timeZone).formatToParts(at);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /([+-])(\d{2}):(\d{2})(?::(\d{2}))?/.exec(name) ?? [];
  const ahead = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000;
  return sign === '-' ? -ahead : ahead;
}

// Creating one takes a hundred times as long as using it; there is one per zone.
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, made);
  return made;
}

/** Whether a text names a time zone (IANA), such as `Europe/Stockholm`. */
export function isTimeZone(text: string): boolean {
  try {
    formatOf(text);
    return true;
  } catch {
    return false;
  }
}

const dayMs = 24 * 60 * 60 * 1_000;

/**
 * The last millisecond of a day in a time zone, even if clocks change at midnight, so that the next day begins at one or the
 * last hour occurs twice, or if the zone skips the day.
 *
 * @param day `2026-03-29`
 */
export function endOfDay(day: string, timeZone: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  // Date.UTC treats years before 100 as 19xx.
  const nextMidnight = new Date(0).setUTCFullYear(year, month - 1, date + 1);
  const isLater = (at: number): boolean => at + offsetMs(timeZone, at) >= nextMidnight;
  // Midnight by the offsets before and after a change of the clocks.
  const midnights = [-dayMs, dayMs].map((away) => nextMidnight - offsetMs(timeZone, nextMidnight + away));
  const ends = midnights.filter((at) => isLater(at) && !isLater(at - 1));
  return new Date(Math.max(...(ends.length > 0 ? ends : midnights)) - 1);
}

/** The day of an instant in a time zone, or as many days later: `2026-03-29`. */
export function dayIn(timeZone: string, instant: Date, daysLater = 0): string {
  const local = new Date(instant.getTime() + offsetMs(timeZone, instant.getTime()));
  local.setUTCDate(local.getUTCDate() + daysLater);
  return local.toISOString().slice(0, -'T00:00:00.000Z'.length);
}

/** Whether an instant is the last millisecond of a day in a time zone. */
export const isEndOfDay = (timeZone: string, instant: Date): boolean =>
  endOfDay(dayIn(timeZone, instant), timeZone).getTime() === instant.getTime();

/** Which year it is in a time zone. */
export function yearIn(timeZone: string, now: Date): number {
  return new Date(now.getTime() + offsetMs(timeZone, now.getTime())).getUTCFullYear();
}
