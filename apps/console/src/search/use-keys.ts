import { useEffect, useRef, type RefObject } from 'react';
import { actionOf, type KeyAction, type Press } from './keys.ts';

/** How long after `g` its second key is waited for. */
const prefixMs = 1_500;

interface Keys {
  readonly hasSingleKeys: boolean;
  readonly pathOf: (key: string) => string | undefined;
  readonly onAction: (action: KeyAction) => void;
}

/** Listens to the keys of the document that an element is in. */
export function useKeys(element: RefObject<HTMLElement | null>, keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const page = element.current?.ownerDocument;
    let prefixedAtMs = -Infinity;
    const listen = (event: KeyboardEvent) => {
      const { hasSingleKeys, pathOf, onAction } = latest.current;
      const isPrefixed = event.timeStamp - prefixedAtMs < prefixMs;
      const action = actionOf(pressOf(event), { isPrefixed, hasSingleKeys, pathOf });
      prefixedAtMs = action.kind === 'prefix' ? event.timeStamp : -Infinity;
      if (action.kind === 'nothing' || action.kind === 'prefix') return;
      event.preventDefault();
      onAction(action);
    };
    page?.addEventListener('keydown', listen);
    return () => page?.removeEventListener('keydown', listen);
  }, [element]);
}

const fields = 'input, select, textarea, [contenteditable=""], [contenteditable="true"]';

function pressOf({ key, ctrlKey, metaKey, altKey, target, defaultPrevented }: KeyboardEvent): Press {
  const element = target instanceof Element ? target : undefined;
  return {
    key: defaultPrevented ? '' : key,
    isCommand: ctrlKey || metaKey,
    isAlt: altKey,
    isTyping: element?.matches(fields) ?? false,
    isInDialog: (element?.closest('dialog') ?? null) !== null,
  };
}
