/** `listLeads` or `NOT_FOUND` as the name of a type. */
export function pascalCase(name: string): string {
  const words = name.includes('_') || name === name.toUpperCase() ? name.toLowerCase().split('_') : [name];
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** `if-match` as specifications write it: `If-Match`. */
export function headerName(name: string): string {
  const capitalized = name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
  return capitalized.replace(/^Www-/, 'WWW-');
}
