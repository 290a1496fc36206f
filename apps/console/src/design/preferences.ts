import { useContext, useSyncExternalStore } from 'react';
import { KeptContext, type Kept } from './kept.ts';

/** The user's preferences in this browser; none is secret. */
class Preferences {
  readonly #store: () => Kept | undefined;
  readonly #chosen = new Map<string, string>();
  readonly #listeners = new Set<() => void>();

  constructor(store: () => Kept | undefined) {
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
      // Without storage it is kept until the page is left.
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

/** One per storage, so that all readers see a change. */
const byStore = new WeakMap<() => Kept | undefined, Preferences>();

function preferencesIn(store: () => Kept | undefined): Preferences {
  const preferences = byStore.get(store) ?? new Preferences(store);
  byStore.set(store, preferences);
  return preferences;
}

/** A preference before anything is rendered, null if not set. */
export const preferenceIn = (store: () => Kept | undefined, name: string): string | null =>
  preferencesIn(store).get(name);

/** A preference, null if not set, and a function to change it. */
export function usePreference(name: string): readonly [string | null, (value: string) => void] {
  const preferences = preferencesIn(useContext(KeptContext));
  const value = useSyncExternalStore(preferences.subscribe, () => preferences.get(name));
  return [value, (chosen) => preferences.set(name, chosen)];
}
