import styles from './avatar.module.css';
import { Icon } from './icon.tsx';

interface AvatarProps {
  readonly name: string;
  /** It is no person, and has no initials. */
  readonly isProgram?: boolean;
}

/** A person's initials in a circle, or a program's sign in a square; decorative, next to the name. */
export function Avatar({ name, isProgram = false }: AvatarProps) {
  if (isProgram) {
    return (
      <span className={styles['avatar']} data-program aria-hidden="true">
        <Icon name="program" />
      </span>
    );
  }
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
