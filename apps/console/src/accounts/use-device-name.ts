import type { api } from '@tenantry/client';
import { useWords } from '../design/language.ts';
import { accountWords } from './accounts.words.ts';

type Described = Pick<api.Session, 'browser' | 'system'>;

/** Gives the name by which somebody recognizes a device: its browser and its system, as far as they are known. */
export function useDeviceName(): (device: Described) => string {
  const { sessions: words } = useWords(accountWords);
  return ({ browser, system }) => {
    const [name = words.unknown, below] = [browser, system].filter((part) => typeof part === 'string');
    return below === undefined ? name : words.on(name, below);
  };
}
