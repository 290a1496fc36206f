const dayMs = 86_400_000;

/**
 * When a day begins in a time zone, where it may be long before or after midnight in UTC; where clocks skip midnight, the first
 * moment after it.
 *
 * @param day `2026-11-24`
 * @param timeZone IANA; by default that of the browser
 */
export function startOfDay(day: string, timeZone: string | undefined): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const clock = clockIn(timeZone);
  // The offset depends on the result, and the result on the offset: the second or third iteration is right.
  let start = midnight;
  for (let guess = 0; guess < 3; guess += 1) start = midnight - (clock(start) - start);
  return new Date(start);
}

/** When a day ends: the next one begins then. */
export const endOfDay = (day: string, timeZone: string | undefined): Date =>
  startOfDay(new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10), timeZone);

/** The local time in a time zone, as if it were UTC. */
function clockIn(timeZone: string | undefined): (instantMs: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instantMs) => {
    const parts = Object.fromEntries(
      format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) + (instantMs % 1_000);
  };
}
