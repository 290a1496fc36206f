import { useRouter } from '@tanstack/react-router';
import { useRested } from '../design/use-rested.ts';
import { useMayOpen } from '../shell/pages.queries.ts';
import { commandsFor, type Command } from './commands.ts';
import { kinds, useFound, type Found, type Kind } from './search.queries.ts';

/** Something to choose. */
export interface Option {
  readonly id: string;
  readonly title: string;
  readonly about?: string | undefined;
  readonly keys?: string | undefined;
  readonly run: () => void;
}

/** What is to be chosen of one kind. */
export interface Group {
  readonly name: Kind | 'commands';
  readonly options: readonly Option[];
}

/** What a text finds. */
export interface Results {
  readonly groups: readonly Group[];
  readonly isSearching: boolean;
  /** Some of it could not be asked for. */
  readonly hasFailed: boolean;
}

/** Everything that is called so, and the commands that are. */
export function useResults(text: string, commands: readonly Command[]): Results {
  const asked = useRested(text);
  const found = [
    useFound('leads', asked),
    useFound('quotes', asked),
    useFound('customers', asked),
    useFound('people', asked),
  ];
  const router = useRouter();
  const mayOpen = useMayOpen();
  const optionOf = (kind: Kind, { id, name, about }: Found): Option => ({
    id: `${kind}-${id}`,
    title: name,
    about,
    run: () =>
      void router.navigate(
        // People have no page of their own: they are found in their list.
        kind === 'people' ? { to: '/people', search: { search: name } } : { to: `/${kind}/${id}` },
      ),
  });
  const named = kinds.flatMap((kind, index): Group[] => {
    const rows = mayOpen(`/${kind}`) ? (found[index]?.data ?? []) : [];
    return [{ name: kind, options: rows.map((row) => optionOf(kind, row)) }];
  });
  const groups = [{ name: 'commands' as const, options: commandsFor(text, commands) }, ...named];
  return {
    groups: groups.filter(({ options }) => options.length > 0),
    isSearching: asked !== text || found.some(({ isFetching }) => isFetching),
    hasFailed: found.some(({ isError }) => isError),
  };
}
