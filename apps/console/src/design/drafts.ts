import { createContext, use, useState } from 'react';

/** The storage of texts: that of a tab. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const prefix = 'draft:';

/** Stores unsaved input, by a key for its user and subject. */
export class Drafts {
  readonly #storage: DraftStorage;

  constructor(storage: DraftStorage) {
    this.#storage = storage;
  }

  read(key: string): string | undefined {
    return this.#storage.getItem(prefix + key) ?? undefined;
  }

  /** Stores a text, or removes an empty one. */
  write(key: string, text: string | undefined): void {
    try {
      if (text === undefined) this.#storage.removeItem(prefix + key);
      else this.#storage.setItem(prefix + key, text);
    } catch {
      // The storage is full or unavailable: the page still has the text.
    }
  }

  /** Removes all of them, after a sign-out. */
  clear(): void {
    const keys = Array.from({ length: this.#storage.length }, (_, n) => this.#storage.key(n));
    for (const key of keys) if (key?.startsWith(prefix) === true) this.#storage.removeItem(key);
  }
}

/** Keeps texts as long as the page is open. */
export function inMemory(): DraftStorage {
  const texts = new Map<string, string>();
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
    key: (n) => [...texts.keys()][n] ?? null,
    get length() {
      return texts.size;
    },
  };
}

/** Provides the store of drafts. */
export const DraftsContext = createContext(new Drafts(inMemory()));

/** A text that outlives its page, until it is saved or discarded; undefined if there is none. */
export function useDraft(key: string) {
  const drafts = use(DraftsContext);
  const [state, setState] = useState(() => ({ key, text: drafts.read(key) }));
  const current = state.key === key ? state : { key, text: drafts.read(key) };
  if (current !== state) setState(current);
  const write = (text: string | undefined): void => {
    drafts.write(key, text);
    setState({ key, text });
  };
  return [current.text, write] as const;
}
