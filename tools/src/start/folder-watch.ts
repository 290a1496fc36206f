import { readdirSync, statSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

/**
 * Watches folders and everything below them, each folder by itself: Node's own recursive watch loses files on Linux that are
 * replaced by renaming, as most editors save them.
 */
export class FolderWatch {
  readonly #onChange: (path: string) => void;
  readonly #watchers = new Map<string, FSWatcher>();

  constructor(folders: readonly string[], onChange: (path: string) => void) {
    this.#onChange = onChange;
    for (const folder of folders) this.#watch(folder);
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  /** @param isNew whether files in it are changes by themselves */
  #watch(folder: string, isNew = false): void {
    if (this.#watchers.has(folder)) return;
    const watcher = watch(folder, (_event, name) => {
      if (name !== null) this.#onEvent(join(folder, name));
    });
    watcher.on('error', () => this.#forget(folder));
    this.#watchers.set(folder, watcher);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) this.#watch(path, isNew);
      else if (isNew) this.#onChange(path);
    }
  }

  #onEvent(path: string): void {
    this.#onChange(path);
    // A folder that is gone by now is no longer watched.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) this.#watch(path, true);
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}
