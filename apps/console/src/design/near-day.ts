/** A day as short as it can be told: `31 Jan` of `31 Jan 2027` in that year. */
export const nearDay = (day: string, now: number): string =>
  day.replace(` ${new Date(now).getFullYear()}`, '');
