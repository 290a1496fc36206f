import type { api } from '@tenantry/client';
import { Facts } from '../design/facts.tsx';
import { useFormats, useLanguage, useWords } from '../design/language.ts';
import { Section } from '../design/page.tsx';
import { addressLines } from './choices.ts';
import { Logo } from './logo-form.tsx';
import { settingsWords } from './settings.words.ts';

/** The settings, for those who may not change them. */
export function OrganizationFacts({ organization }: { readonly organization: api.Organization }) {
  const words = useWords(settingsWords);
  const formats = useFormats();
  const { name, slug, createdAt, settings } = organization;
  const { defaultCurrency, vatRate, quoteNumberPrefix, timeZone, vatNumber } = settings;
  const address = addressLines(settings.address, useLanguage()).join(', ');
  return (
    <>
      <Section title={words.profile.title}>
        <Facts
          facts={[
            [words.profile.name, name],
            [words.profile.slug, slug],
            [words.profile.since, formats.day(createdAt)],
            [words.profile.timeZone, timeZone],
          ]}
        />
      </Section>
      <Section title={words.quotes.title}>
        <Facts
          facts={[
            [words.quotes.currency, defaultCurrency],
            [words.quotes.vatRate, formats.number(vatRate)],
            [words.quotes.prefix, quoteNumberPrefix],
          ]}
        />
      </Section>
      <Section title={words.address.title}>
        <Facts
          facts={[
            [words.address.lines[0] ?? '', address || words.none],
            [words.address.vatNumber, vatNumber ?? words.none],
          ]}
        />
      </Section>
      <Section title={words.logo.title}>
        <Logo organization={organization} />
      </Section>
      <Section title={words.twoFactor.title}>
        <p>{settings.requireTwoFactor ? words.twoFactor.on : words.twoFactor.off}</p>
      </Section>
    </>
  );
}
