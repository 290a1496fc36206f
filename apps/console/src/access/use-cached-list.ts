import { useQueryClient } from '@tanstack/react-query';

/** A list that is cached whole, and how it is brought up to date after a change. */
export function useCachedList<Entry extends { readonly id: string }>(queryKey: readonly string[]) {
  const queries = useQueryClient();
  const change = (changed: (entries: readonly Entry[]) => readonly Entry[]) =>
    queries.setQueryData<readonly Entry[]>(queryKey, (entries) => entries && changed(entries));
  return {
    change,
    add: (entry: Entry) => change((entries) => [...entries, entry]),
    replace: (entry: Entry) =>
      change((entries) => entries.map((each) => (each.id === entry.id ? entry : each))),
    remove: (id: string) => change((entries) => entries.filter((entry) => entry.id !== id)),
    // What was refused may have been changed by somebody else.
    readAgain: () => void queries.invalidateQueries({ queryKey }),
  };
}
