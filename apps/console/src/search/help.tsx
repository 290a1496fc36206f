import { useId } from 'react';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { useWords } from '../design/language.ts';
import { Row, Stack } from '../design/page.tsx';
import type { Command } from './commands.ts';
import styles from './palette.module.css';
import { searchWords } from './search.words.ts';
import { useSingleKeys } from './use-single-keys.ts';

interface HelpProps {
  readonly commands: readonly Command[];
  readonly onClose: () => void;
}

/** Which keys do what, and whether single ones do anything. */
export function Help({ commands, onClose }: HelpProps) {
  const { help: words } = useWords(searchWords);
  const [hasSingleKeys, setSingleKeys] = useSingleKeys();
  const hintId = useId();
  const single: (readonly [string, string])[] = [
    ['/', words.search],
    ['?', words.help],
    ...commands.flatMap(({ keys, title }) => (keys === undefined ? [] : [[keys, title] as const])),
  ];
  const always = [['Ctrl K', words.palette] as const, ['Ctrl Z', words.undo] as const];
  const shortcuts = [...always, ...(hasSingleKeys ? single : [])];
  return (
    <Dialog title={words.title} onClose={onClose}>
      <dl className={styles['shortcuts']}>
        {shortcuts.map(([keys, does]) => (
          <div key={keys} className={styles['shortcut']}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Stack>
        <label className={styles['switch']}>
          <input
            type="checkbox"
            checked={hasSingleKeys}
            aria-describedby={hintId}
            onChange={({ target }) => setSingleKeys(target.checked)}
          />
          {words.single}
        </label>
        <p id={hintId} className={styles['about']}>
          {words.singleHint}
        </p>
      </Stack>
      <Row>
        <Button onClick={onClose}>{words.close}</Button>
      </Row>
    </Dialog>
  );
}
