import { useSyncExternalStore } from 'react';
import { Icon } from './icon.tsx';
import type { Toast } from './toast-store.ts';
import styles from './toasts.module.css';
import { useToasts } from './use-toasts.ts';

interface ToastsProps {
  readonly words: { readonly undo: string; readonly dismiss: string; readonly label: string };
}

/** The messages that are shown now, over the lower edge of the window. */
export function Toasts({ words }: ToastsProps) {
  const store = useToasts();
  const toasts = useSyncExternalStore(store.subscribe, store.getToasts);
  return (
    <section className={styles['toasts']} aria-label={words.label}>
      <div role="status" className={styles['list']}>
        {toasts.map((toast) => (
          <Message key={toast.id} toast={toast} words={words} />
        ))}
      </div>
    </section>
  );
}

function Message({ toast: { id, text, undo }, words }: ToastsProps & { readonly toast: Toast }) {
  const store = useToasts();
  return (
    <div
      className={styles['toast']}
      onPointerEnter={() => store.hold(id)}
      onPointerLeave={() => store.release(id)}
      onFocus={() => store.hold(id)}
      onBlur={() => store.release(id)}
    >
      <span>{text}</span>
      {undo && (
        <button type="button" className={styles['undo']} onClick={() => store.undo(id)}>
          {words.undo}
        </button>
      )}
      <button
        type="button"
        className={styles['close']}
        aria-label={words.dismiss}
        onClick={() => store.end(id)}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
