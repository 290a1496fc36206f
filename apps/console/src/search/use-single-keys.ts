import { usePreference } from '../design/preferences.ts';

/** Whether single keys do anything, and the way to change that. */
export function useSingleKeys(): readonly [boolean, (are: boolean) => void] {
  const [chosen, choose] = usePreference('single-keys');
  return [chosen !== 'off', (are) => choose(are ? 'on' : 'off')];
}
