import styles from './avatar.module.css';

/** A person's initials in a circle; decorative, next to their name. */
export function Avatar({ name }: { readonly name: string }) {
  return <span className={styles['avatar']} data-initials={initialsOf(name)} aria-hidden="true" />;
}

/** Of the first and the last of somebody's names. */
function initialsOf(name: string): string {
  const names = name.split(/\s+/).filter((part) => part !== '');
  const shown = names.length > 1 ? [names.at(0), names.at(-1)] : names;
  return shown
    .map((part) => Array.from(part ?? '')[0] ?? '')
    .join('')
    .toUpperCase();
}
