import type { api } from '@tenantry/client';
import { useWords } from '../design/language.ts';
import { accountWords } from './accounts.words.ts';

type Described = Pick<api.Session, 'browser' | 'system'>;

/** The name of a device for its user: browser and system, as far as known. */
export function useDeviceName(): (device: Described) => string {
  const { sessions: words } = useWords(accountWords);
  return ({ browser, system }) => {
    const [name = words.unknown, below] = [browser, system].filter((part) => typeof part === 'string');
    return below === undefined ? name : words.on(name, below);
  };
}
