import { useState } from 'react';
import { Button, type ButtonKind } from './button.tsx';
import { tryToCopy } from './try-to-copy.ts';

interface CopyButtonProps {
  readonly text: string;
  readonly words: Readonly<Record<'copy' | 'copied' | 'uncopied', string>>;
  readonly kind?: ButtonKind;
  /** It is on the clipboard. */
  readonly onCopied?: () => void;
}

/** Copies a text to the clipboard, and confirms it, or asks the user to copy it by hand. */
export function CopyButton({ text, words, kind = 'secondary', onCopied }: CopyButtonProps) {
  const [state, setState] = useState<keyof typeof words>('copy');
  const copy = async () => {
    const isCopied = await tryToCopy(text);
    setState(isCopied ? 'copied' : 'uncopied');
    if (isCopied) onCopied?.();
  };
  return (
    <span role="status">
      <Button kind={kind} onClick={() => void copy()}>
        {words[state]}
      </Button>
    </span>
  );
}
