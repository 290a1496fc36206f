import { createContext, use, useEffect, useState } from 'react';
import styles from './skeleton.module.css';

/** Later than this, somebody wonders whether anything happens. */
const delayMs = 150;

/** What is said in place of what waits for a connection; undefined while there is one. */
export const UnreachedContext = createContext<string | undefined>(undefined);

interface SkeletonProps {
  /** What is loading, for those who do not see it. */
  readonly label: string;
  readonly lines?: number;
}

/** The place of what is loading, as high as it will be; it shows only where the loading takes a while. */
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
