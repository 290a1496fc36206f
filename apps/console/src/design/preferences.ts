import { createContext, useContext, useSyncExternalStore } from 'react';

/** Where a browser keeps what somebody chose in it: its local storage. */
export type Store = Pick<Storage, 'getItem' | 'setItem'>;

/** What somebody chose in this browser; nothing of it is a secret. */
export class Preferences {
  readonly #store: () => Store | undefined;
  readonly #chosen = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  /** @param store asked for at each use, since a browser may refuse it; without one, choices last as long as the page */
  constructor(store: () => Store | undefined = () => undefined) {
    this.#store = store;
  }

  get(name: string): string | null {
    return this.#chosen.get(name) ?? this.#stored(name);
  }

  set(name: string, value: string): void {
    this.#chosen.set(name, value);
    try {
      this.#store()?.setItem(name, value);
    } catch {
      // A browser that keeps nothing still has it until the page is left.
    }
    for (const listener of this.#listeners) listener();
  }

  /** For React, which calls it without its object. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #stored(name: string): string | null {
    try {
      return this.#store()?.getItem(name) ?? null;
    } catch {
      return null;
    }
  }
}

/** Where what is below finds what was chosen. */
export const PreferencesContext = createContext(new Preferences());

/** What somebody chose, and the way to choose otherwise; null before they did. */
export function usePreference(name: string): readonly [string | null, (value: string) => void] {
  const preferences = useContext(PreferencesContext);
  const value = useSyncExternalStore(preferences.subscribe, () => preferences.get(name));
  return [value, (chosen) => preferences.set(name, chosen)];
}
