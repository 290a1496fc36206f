/** The labels of fields as they are called within a sentence: in small letters. */
export function inSentences<Name extends string>(
  labels: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  const small = Object.entries<string>(labels).map(([name, label]) => [name, label.toLowerCase()]);
  return Object.fromEntries(small) as Record<Name, string>;
}
