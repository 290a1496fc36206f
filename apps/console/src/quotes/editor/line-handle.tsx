import type { KeyboardEvent, PointerEvent as Pressed } from 'react';
import { Icon } from '../../design/icon.tsx';
import styles from './editor.module.css';

interface LineHandleProps {
  readonly label: string;
  readonly index: number;
  readonly onMove: (to: number) => void;
}

/** Moves a line: by the arrow keys, or by dragging. */
export function LineHandle({ label, index, onMove }: LineHandleProps) {
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined || event.altKey) return;
    event.preventDefault();
    onMove(index + step);
  }
  function onPointerDown(event: Pressed) {
    const list = event.currentTarget.closest('ol');
    if (!list) return;
    let at = index;
    const follow = ({ clientY }: PointerEvent) => {
      const to = indexAt(list, clientY);
      if (to === at) return;
      at = to;
      onMove(to);
    };
    const drop = () => {
      removeEventListener('pointermove', follow);
      removeEventListener('pointerup', drop);
      removeEventListener('pointercancel', drop);
    };
    addEventListener('pointermove', follow);
    addEventListener('pointerup', drop);
    addEventListener('pointercancel', drop);
  }
  return (
    <button
      type="button"
      className={`${styles['handle']} ${styles['corner']}`}
      aria-label={label}
      {...{ onKeyDown, onPointerDown }}
    >
      <Icon name="grip" />
    </button>
  );
}

/** The line at a height; the blank one at the end is none. */
function indexAt(list: Element, y: number): number {
  const rows = [...list.children].slice(0, -1);
  const index = rows.findIndex((row) => y < row.getBoundingClientRect().bottom);
  return index === -1 ? rows.length - 1 : index;
}
