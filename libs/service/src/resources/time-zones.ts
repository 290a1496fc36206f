/** Names of three letters in the IANA database. All others are abbreviations, of which many mean several zones (`IST`). */
const shortNames = new Set([
  'CET',
  'EET',
  'EST',
  'GMT',
  'HST',
  'MET',
  'MST',
  'PRC',
  'ROC',
  'ROK',
  'UCT',
  'UTC',
  'WET',
]);

/**
 * The time zone of an IANA name, in the spelling of Node.js, such as `Europe/Stockholm`. An offset such as `+01:00` names none: it
 * knows no summer time.
 *
 * @returns undefined where the name is none
 */
export function timeZoneNamed(name: string): string | undefined {
  const isAbbreviation = name.length <= 3 && !shortNames.has(name.toUpperCase());
  if (isAbbreviation || !/^[a-z]/i.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
