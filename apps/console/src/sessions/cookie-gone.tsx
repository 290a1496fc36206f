import { useWords } from '../design/language.ts';
import { Notice } from '../design/notice.tsx';
import { waysWords } from './ways/ways.words.ts';

/** Says that the browser has not kept the cookie of a session. */
export function CookieGone() {
  const { cookies: words } = useWords(waysWords);
  return (
    <Notice kind="problem">
      <h2>{words.title}</h2>
      <p>{words.text}</p>
      <p>{words.help}</p>
    </Notice>
  );
}
