import { useWords } from '../design/language.ts';
import { MenuChoices } from '../design/menu.tsx';
import { usePreference } from '../design/preferences.ts';
import { shellWords } from './shell.words.ts';

const themes = ['system', 'light', 'dark'] as const;

/** Chooses light or dark in this browser; `main.tsx` reads it when the console opens. */
export function ThemeChoice() {
  const { theme: words } = useWords(shellWords);
  const [chosen, choose] = usePreference('theme');
  return (
    <MenuChoices
      label={words.legend}
      choices={themes.map((theme) => [theme, words[theme]] as const)}
      chosen={themes.find((theme) => theme === chosen) ?? 'system'}
      onChoose={(theme, { ownerDocument }) => {
        choose(theme);
        ownerDocument.documentElement.setAttribute('data-theme', theme);
      }}
    />
  );
}
