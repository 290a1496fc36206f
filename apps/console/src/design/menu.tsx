import { createContext, useContext, type ComponentProps, type KeyboardEvent, type ReactNode } from 'react';
import { Disclosure } from './disclosure.tsx';
import styles from './menu.module.css';

const Close = createContext<() => void>(() => undefined);

interface MenuProps extends Omit<ComponentProps<typeof Disclosure>, 'children' | 'isMenu'> {
  /** Said above the entries. */
  readonly head?: ReactNode;
  /** {@link MenuEntry} and {@link MenuChoices}. */
  readonly children: ReactNode;
}

/** A button with a menu below it: arrow keys lead from entry to entry, from a field above too, and Tab and Escape close it. */
export function Menu({ head, children, ...disclosure }: MenuProps) {
  return (
    <Disclosure {...disclosure} isMenu>
      {(close) => (
        <Close value={close}>
          {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Its entries have the focus, or a field above. */}
          <div
            className={styles['around']}
            onKeyDown={(event) => {
              if (event.key === 'Tab') close();
              else walk(event);
            }}
          >
            {head}
            <div role="menu" className={styles['menu']} aria-label={disclosure.label}>
              {children}
            </div>
          </div>
        </Close>
      )}
    </Disclosure>
  );
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget, key, target } = event;
  if (target instanceof HTMLInputElement && !key.startsWith('Arrow')) return;
  const entries = Array.from(currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]'));
  const at = entries.findIndex((entry) => entry === currentTarget.ownerDocument.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[key];
  if (to === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  entries.at(to % entries.length)?.focus();
}

interface MenuEntryProps {
  readonly onChoose: () => void;
  readonly isDanger?: boolean;
  readonly isDisabled?: boolean;
  /** Its action is in progress: the menu stays open until it has ended. */
  readonly isBusy?: boolean;
  /** Whether the menu stays open. */
  readonly stays?: boolean;
  readonly children: ReactNode;
}

/** Something that a menu does. */
export function MenuEntry(props: MenuEntryProps) {
  const { onChoose, isDanger = false, isDisabled = false, isBusy = false, stays = false, children } = props;
  const close = useContext(Close);
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={`${styles['entry']} ${isDanger ? styles['danger'] : ''}`}
      aria-disabled={isDisabled || isBusy || undefined}
      onClick={() => {
        if (isDisabled || isBusy) return;
        if (!stays) close();
        onChoose();
      }}
    >
      {children}
    </button>
  );
}

interface MenuChoicesProps<Value extends string> {
  readonly label: string;
  readonly choices: readonly (readonly [value: Value, label: ReactNode])[];
  readonly chosen: Value;
  readonly onChoose: (value: Value, place: HTMLElement) => void;
}

/** One of several, chosen in a menu that stays open. */
export function MenuChoices<Value extends string>(props: MenuChoicesProps<Value>) {
  const { label, choices, chosen, onChoose } = props;
  return (
    <div role="group" aria-label={label} className={styles['group']}>
      <span aria-hidden="true" className={styles['label']}>
        {label}
      </span>
      {choices.map(([value, name]) => (
        <button
          key={value}
          type="button"
          role="menuitemradio"
          tabIndex={-1}
          aria-checked={value === chosen}
          className={styles['entry']}
          onClick={({ currentTarget }) => onChoose(value, currentTarget)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}

/** Closes the menu around. */
export const useCloseMenu = () => useContext(Close);

/** The props of a link that is an entry of a menu. */
export function useMenuLink() {
  const close = useContext(Close);
  return { role: 'menuitem', tabIndex: -1, className: styles['entry'] ?? '', onClick: close } as const;
}
