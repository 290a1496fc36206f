import { useFormats, useLanguage } from '../design/language.ts';
import { useSender } from '../organizations/organization.queries.ts';
import { lastDay } from './days.ts';

/** Writes until when a quote is valid, by the days of the organization; undefined until its time zone is known. */
export function useLastDay(): ((validUntil: string) => string) | undefined {
  const reading = { language: useLanguage(), formats: useFormats() };
  const { data: sender } = useSender();
  return sender && ((validUntil) => lastDay(validUntil, sender.settings.timeZone, reading));
}
