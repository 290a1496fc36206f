import { useEffect, useRef, useSyncExternalStore, type RefObject } from 'react';
import { Icon } from './icon.tsx';
import type { Toast, ToastStore } from './toast-store.ts';
import styles from './toasts.module.css';
import { useToasts } from './use-toasts.ts';

interface ToastsProps {
  readonly words: { readonly undo: string; readonly dismiss: string; readonly label: string };
}

/** The current messages, at the bottom of the window. */
export function Toasts({ words }: ToastsProps) {
  const store = useToasts();
  const toasts = useSyncExternalStore(store.subscribe, store.getToasts);
  const section = useRef<HTMLElement>(null);
  useUndoKey(section, store);
  return (
    <section ref={section} className={styles['toasts']} aria-label={words.label}>
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
        <button
          type="button"
          className={styles['undo']}
          aria-keyshortcuts="Control+Z Meta+Z"
          title="Ctrl Z"
          onClick={() => store.undo(id)}
        >
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

const fields = 'input, select, textarea';

/** Ctrl Z undoes the last action, except in a field: five seconds are too short to reach a button by keyboard. */
function useUndoKey(section: RefObject<HTMLElement | null>, store: ToastStore): void {
  useEffect(() => {
    const page = section.current?.ownerDocument;
    const listen = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event;
      if (key.toLowerCase() !== 'z' || !(ctrlKey || metaKey) || shiftKey || altKey) return;
      const last = store.getToasts().findLast(({ undo }) => undo !== undefined);
      if (!last || (target instanceof Element && target.matches(fields))) return;
      event.preventDefault();
      store.undo(last.id);
    };
    page?.addEventListener('keydown', listen);
    return () => page?.removeEventListener('keydown', listen);
  }, [section, store]);
}
