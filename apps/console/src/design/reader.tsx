import { useMemo, type ReactNode } from 'react';
import { formatsOf, ReadingContext, type Language } from './language.ts';

interface ReaderProps {
  readonly language: Language;
  readonly timeZone: string | undefined;
  readonly children: ReactNode;
}

/** Says in which language and time zone what is inside is read. */
export function Reader({ language, timeZone, children }: ReaderProps) {
  const reading = useMemo(() => ({ language, formats: formatsOf(language, timeZone) }), [language, timeZone]);
  return <ReadingContext value={reading}>{children}</ReadingContext>;
}
