import { useState, type KeyboardEvent } from 'react';
import styles from './combobox.module.css';
import { useField } from './field.tsx';
import fieldStyles from './field.module.css';

/** An option. */
export interface ComboboxOption {
  readonly key: string;
  readonly title: string;
  readonly detail?: string | undefined;
}

interface ComboboxProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** The text in the field. */
  readonly text: string;
  readonly onType: (text: string) => void;
  /** The options that match the input. */
  readonly options: readonly ComboboxOption[];
  readonly onChoose: (key: string) => void;
  readonly autoFocus?: boolean;
  readonly required?: boolean;
}

/** A field that suggests matching options: arrow keys move through them, Enter selects one, Escape closes. */
export function Combobox(props: ComboboxProps) {
  const {
    name,
    label,
    hint,
    error,
    text,
    onType,
    options,
    onChoose,
    autoFocus = false,
    required = false,
  } = props;
  const { control, frame } = useField({ name, label, hint, error });
  const { id } = control;
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(0);
  const isShown = isOpen && options.length > 0;
  const active = Math.min(chosen, options.length - 1);
  function choose(key: string) {
    setOpen(false);
    onChoose(key);
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      setChosen(isShown ? (active + step + options.length) % options.length : 0);
      setOpen(true);
    } else if (event.key === 'Enter' && isShown) {
      event.preventDefault();
      choose(options[active]?.key ?? '');
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      setOpen(false);
    }
  }
  return frame(
    <div className={styles['frame']}>
      <input
        {...control}
        role="combobox"
        className={fieldStyles['input']}
        value={text}
        autoComplete="off"
        autoFocus={autoFocus}
        required={required}
        spellCheck={false}
        aria-expanded={isShown}
        aria-autocomplete="list"
        aria-controls={isShown ? `${id}-list` : undefined}
        aria-activedescendant={isShown ? `${id}-${active}` : undefined}
        onChange={({ target }) => {
          onType(target.value);
          setOpen(true);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setOpen(false)}
      />
      {isShown && (
        <ul id={`${id}-list`} role="listbox" aria-label={label} className={styles['list']}>
          {options.map(({ key, title, detail }, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field takes the keys
            <li
              key={key}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              className={styles['option']}
              // The field keeps the focus.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(key)}
            >
              <span className={styles['title']}>{title}</span>
              {detail !== undefined && <span className={styles['detail']}>{detail}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>,
  );
}
