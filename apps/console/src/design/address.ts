import { useParams, useSearch } from '@tanstack/react-router';

/** A part of the address, as `id` of `/quotes/$id`; empty where it has none of that name. */
export function useParam(name: string): string {
  const params: Readonly<Record<string, string>> = useParams({ strict: false });
  return params[name] ?? '';
}

/** The query string of the address, which may contain anything. */
export function useQueryOfAddress(): Readonly<Record<string, unknown>> {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  return search;
}
