import { languageNames, languages, useLanguage } from './language.ts';
import styles from './language-menu.module.css';
import { usePreference } from './preferences.ts';

/** Chooses the language of those who are not signed in, each by its own name; this browser keeps it. */
export function LanguageMenu() {
  const language = useLanguage();
  const [, choose] = usePreference('language');
  return (
    <p className={styles['languages']}>
      {languages.map((known) => (
        <button
          key={known}
          type="button"
          lang={known}
          aria-current={known === language || undefined}
          onClick={({ currentTarget }) => {
            choose(known);
            currentTarget.ownerDocument.documentElement.lang = known;
          }}
        >
          {languageNames[known]}
        </button>
      ))}
    </p>
  );
}
