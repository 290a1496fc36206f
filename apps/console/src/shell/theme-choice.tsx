import { useRef } from 'react';
import { Choice, Choices } from '../design/choices.tsx';
import { useWords } from '../design/language.ts';
import { usePreference } from '../design/preferences.ts';
import { shellWords } from './shell.words.ts';

const themes = ['system', 'light', 'dark'] as const;

/** Chooses light or dark in this browser; `main.tsx` reads it when the console opens. */
export function ThemeChoice() {
  const { theme: words } = useWords(shellWords);
  const [chosen, choose] = usePreference('theme');
  const place = useRef<HTMLDivElement>(null);
  return (
    <div ref={place}>
      <Choices legend={words.legend}>
        {themes.map((theme) => (
          <Choice
            key={theme}
            type="radio"
            name="theme"
            label={words[theme]}
            checked={theme === (chosen ?? 'system')}
            onChange={() => {
              choose(theme);
              place.current?.ownerDocument.documentElement.setAttribute('data-theme', theme);
            }}
          />
        ))}
      </Choices>
    </div>
  );
}
