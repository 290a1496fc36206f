import { useId, useState, type KeyboardEvent } from 'react';
import { useWords } from '../design/language.ts';
import { stepIn, type Command } from './commands.ts';
import { Overlay } from './overlay.tsx';
import styles from './palette.module.css';
import { searchWords } from './search.words.ts';
import { useResults, type Option } from './use-results.ts';

interface PaletteProps {
  readonly commands: readonly Command[];
  readonly onClose: () => void;
}

const steps: Readonly<Record<string, 1 | -1 | undefined>> = { ArrowDown: 1, ArrowUp: -1 };

/** Finds leads, quotes, customers, people and commands by what they are called. */
export function Palette({ commands, onClose }: PaletteProps) {
  const words = useWords(searchWords);
  const [text, setText] = useState('');
  const [chosen, choose] = useState(0);
  const { groups, isSearching, hasFailed } = useResults(text, commands);
  const options = groups.flatMap((group) => group.options);
  const active = Math.min(chosen, options.length - 1);
  const listId = useId();
  const idOf = (option: Option | undefined) => option && `${listId}-${option.id}`;

  function run(option: Option | undefined) {
    if (!option) return;
    onClose();
    option.run();
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = steps[event.key];
    if (step !== undefined) choose(stepIn(options.length, active, step));
    else if (event.key === 'Enter') run(options[active]);
    else return;
    event.preventDefault();
  }

  return (
    <Overlay label={words.title} onClose={onClose}>
      <input
        className={styles['input']}
        type="text"
        role="combobox"
        aria-label={words.label}
        aria-expanded="true"
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={idOf(options[active])}
        placeholder={words.label}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setText(target.value);
          choose(0);
        }}
      />
      <div id={listId} role="listbox" aria-label={words.results} className={styles['list']}>
        {groups.map((group) => (
          <div key={group.name} role="group" aria-label={words.groups[group.name]}>
            <p className={styles['kind']} aria-hidden="true">
              {words.groups[group.name]}
            </p>
            {group.options.map((option) => (
              <Choice
                key={option.id}
                id={idOf(option)}
                option={option}
                isActive={option === options[active]}
                onPoint={() => choose(options.indexOf(option))}
                onChoose={() => run(option)}
              />
            ))}
          </div>
        ))}
      </div>
      <p role="status" className={styles['status']}>
        {options.length > 0 && words.number(options.length)}
        {options.length === 0 && !isSearching && words.nothingFound} {hasFailed && words.incomplete}
      </p>
    </Overlay>
  );
}

interface ChoiceProps {
  readonly id: string | undefined;
  readonly option: Option;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}

function Choice({ id, option: { title, about, keys }, isActive, onPoint, onChoose }: ChoiceProps) {
  return (
    // The focus stays in the field, whose keys walk through these.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- see above
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={styles['option']}
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: 'nearest' });
      }}
      onPointerMove={() => {
        if (!isActive) onPoint();
      }}
      onClick={onChoose}
    >
      <span className={styles['title']}>{title}</span>
      {about !== undefined && <span className={styles['about']}>{about}</span>}
      {keys !== undefined && <kbd className={styles['keys']}>{keys}</kbd>}
    </div>
  );
}
