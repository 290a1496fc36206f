import { createContext, use, useEffect, useState } from 'react';
import styles from './skeleton.module.css';

/** The delay before the placeholder is shown. */
const delayMs = 150;

/** The message while offline; undefined when online. */
export const UnreachedContext = createContext<string | undefined>(undefined);

interface SkeletonProps {
  /** What is loading, for screen readers. */
  readonly label: string;
  readonly lines?: number;
}

/** A placeholder with the height of the content, shown only if loading takes a while. */
export function Skeleton({ label, lines = 3 }: SkeletonProps) {
  const unreached = use(UnreachedContext);
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), delayMs);
    return () => clearTimeout(timer);
  }, []);
  if (unreached !== undefined) return <p role="status">{unreached}</p>;
  return (
    <div
      className={styles['skeleton']}
      data-shown={isShown || undefined}
      aria-busy="true"
      aria-label={label}
      role="status"
    >
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className={styles['line']} />
      ))}
    </div>
  );
}
