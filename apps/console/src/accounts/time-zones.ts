/** The time zones to choose from, by name: those that the browser lists, UTC, and the current one. */
export function timeZonesWith(present: string): readonly string[] {
  return [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', present])].toSorted();
}
