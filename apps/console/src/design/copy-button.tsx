import { useState } from 'react';
import { Button } from './button.tsx';
import { tryToCopy } from './try-to-copy.ts';

interface CopyButtonProps {
  readonly text: string;
  readonly words: Readonly<Record<'copy' | 'copied' | 'uncopied', string>>;
}

/** Copies a text to the clipboard, and confirms it, or asks the user to copy it by hand. */
export function CopyButton({ text, words }: CopyButtonProps) {
  const [state, setState] = useState<keyof typeof words>('copy');
  const copy = async () => setState((await tryToCopy(text)) ? 'copied' : 'uncopied');
  return (
    <span role="status">
      <Button onClick={() => void copy()}>{words[state]}</Button>
    </span>
  );
}
