/**
 * Text as it is kept: without blanks around it and in Unicode's composed form (NFC), so that the same word is the
 * same bytes whatever keyboard wrote it. Done before validation: limits hold for what is kept.
 */
export function tidyText(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).map(([field, value]) => [field, tidied(value)]));
}

function tidied(value: unknown): unknown {
  return typeof value === 'string' ? value.trim().normalize('NFC') : value;
}
