/** A UUID of version 4, from 16 random bytes; `crypto.randomUUID` is missing where a page is not served by HTTPS. */
export function uuidOf(bytes: Uint8Array): string {
  const marked = bytes.with(6, ((bytes[6] ?? 0) & 0x0f) | 0x40).with(8, ((bytes[8] ?? 0) & 0x3f) | 0x80);
  const digits = Array.from(marked, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
