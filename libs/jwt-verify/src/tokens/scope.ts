/** The role in the token of a service account. No table gives it a permission, so code that asks for roles refuses keys. */
export const scopedRole = 'scoped';

/** The characters of a permission's name, which a challenge may contain (RFC 6750 section 3). */
export const permissionName = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** The permissions that a key is limited to, or `*` for all that its base role has. */
export type Scope = readonly string[] | '*';

/** Parses permissions separated by single blanks (RFC 8693 section 4.2), or `*`; undefined for anything else. */
export function parseScope(text: string): Scope | undefined {
  if (text === '*') return text;
  const names = text.split(' ');
  return names.every((name) => permissionName.test(name) && name !== '*') ? Object.freeze(names) : undefined;
}
