import { createContext, useContext, useState, type ReactNode } from 'react';
import styles from './editor.module.css';

const AnnouncingContext = createContext<(text: string) => void>(() => undefined);

/** Says something to those who do not see that it happened. */
export const useAnnounce = (): ((text: string) => void) => useContext(AnnouncingContext);

/** Where {@link useAnnounce} is heard. */
export function Announcing({ children }: { readonly children: ReactNode }) {
  const [text, announce] = useState('');
  return (
    <AnnouncingContext value={announce}>
      {children}
      <p role="status" className={styles['unseen']}>
        {text}
      </p>
    </AnnouncingContext>
  );
}
