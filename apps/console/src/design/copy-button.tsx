import { useState } from 'react';
import { Button } from './button.tsx';

interface CopyButtonProps {
  readonly text: string;
  readonly words: { readonly copy: string; readonly copied: string };
}

/** Puts a text where it can be pasted, and says so. */
export function CopyButton({ text, words }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <Button onClick={copy}>
      <span role="status">{isCopied ? words.copied : words.copy}</span>
    </Button>
  );
}
