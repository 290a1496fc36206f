/** A key that was pressed, and where. */
export interface Press {
  readonly key: string;
  readonly isCommand: boolean;
  readonly isAlt: boolean;
  /** In a field, where keys are text. */
  readonly isTyping: boolean;
  /** Over a dialog, which has its own keys. */
  readonly isInDialog: boolean;
}

/** What a key asks for. */
export type KeyAction =
  | { readonly kind: 'palette' | 'search' | 'help' | 'prefix' | 'nothing' }
  | { readonly kind: 'go'; readonly path: string };

interface Keyboard {
  /** Whether `g` was pressed just before. */
  readonly isPrefixed: boolean;
  /** Whether somebody wants single keys to do anything: speech input presses them by the dozen (WCAG 2.1.4). */
  readonly hasSingleKeys: boolean;
  readonly pathOf: (key: string) => string | undefined;
}

const nothing = { kind: 'nothing' } as const;

/** What a press asks for. */
export function actionOf(press: Press, { isPrefixed, hasSingleKeys, pathOf }: Keyboard): KeyAction {
  const key = press.key.toLowerCase();
  if (press.isCommand) return key === 'k' && !press.isInDialog ? { kind: 'palette' } : nothing;
  if (!hasSingleKeys || press.isAlt || press.isTyping || press.isInDialog) return nothing;
  if (isPrefixed) {
    const path = pathOf(key);
    return path === undefined ? nothing : { kind: 'go', path };
  }
  if (key === 'g') return { kind: 'prefix' };
  if (key === '/') return { kind: 'search' };
  return key === '?' ? { kind: 'help' } : nothing;
}
