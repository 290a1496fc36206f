import { createContext, use, useState } from 'react';

/** What keeps texts: the storage of a tab, which ends with it. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const prefix = 'draft:';

/** Keeps what somebody has typed and not saved, by a key that says whose it is and of what. */
export class Drafts {
  readonly #storage: DraftStorage;

  constructor(storage: DraftStorage) {
    this.#storage = storage;
  }

  read(key: string): string | undefined {
    return this.#storage.getItem(prefix + key) ?? undefined;
  }

  /** Keeps a text, or forgets it where there is none. */
  write(key: string, text: string | undefined): void {
    try {
      if (text === undefined) this.#storage.removeItem(prefix + key);
      else this.#storage.setItem(prefix + key, text);
    } catch {
      // The storage is full or refused: the page still has the text.
    }
  }

  /** Forgets all of them: of somebody who has signed out. */
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

/** Where what is below keeps what was typed. */
export const DraftsContext = createContext(new Drafts(inMemory()));

/** A text that outlives its page, until it is saved or given up; undefined while there is none. */
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
