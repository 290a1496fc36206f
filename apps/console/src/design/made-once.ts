/** Caches one value per key: creating a format takes longer than using it. */
export function madeOnce<Key extends readonly string[], Format>(
  make: (...key: Key) => Format,
): (...key: Key) => Format {
  const made = new Map<string, Format>();
  return (...key) => {
    const name = key.join(' ');
    const format = made.get(name) ?? make(...key);
    made.set(name, format);
    return format;
  };
}
