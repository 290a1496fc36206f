import type { api } from '@tenantry/client';
import { TextField } from '../design/field.tsx';
import { SelectField } from '../design/select-field.tsx';
import type { Values } from '../design/plain-form.tsx';
import { useLanguage, useWords } from '../design/language.ts';
import { useProblem } from '../failures/failure.tsx';
import { countriesIn } from './choices.ts';
import { SettingsForm } from './settings-forms.tsx';
import { useUpdateOrganization } from './settings.queries.ts';
import { settingsWords } from './settings.words.ts';

const lineNames = ['line1', 'line2', 'line3'] as const;

/** Where the organization has its seat; with every field empty it has none. */
export function AddressForm({ organization }: { readonly organization: api.Organization }) {
  const { address: words } = useWords(settingsWords);
  const language = useLanguage();
  const update = useUpdateOrganization();
  const problem = useProblem(update.error);
  const { address, vatNumber } = organization.settings;
  const wrong = (field: string) => problem?.fields[`settings.address.${field}`];
  const lines = words.lines.map((label, index) => ({ label, name: lineNames[index] ?? 'line1', index }));
  return (
    <SettingsForm
      update={update}
      onSubmit={(values) =>
        update.mutate({
          settings: { address: addressOf(values), vatNumber: values.text('vatNumber').trim() || null },
        })
      }
    >
      {lines.map(({ label, name, index }) => (
        <TextField
          key={name}
          name={name}
          autoComplete={`address-line${index + 1}`}
          defaultValue={address?.lines[index]}
          label={label}
          error={wrong(`lines.${index}`) ?? (index === 0 ? wrong('lines') : undefined)}
        />
      ))}
      <TextField
        {...{ name: 'postalCode', autoComplete: 'postal-code', defaultValue: address?.postalCode }}
        label={words.postalCode}
        error={wrong('postalCode')}
      />
      <TextField
        {...{ name: 'city', autoComplete: 'address-level2', defaultValue: address?.city }}
        label={words.city}
        error={wrong('city')}
      />
      <SelectField
        {...{ name: 'country', autoComplete: 'country', defaultValue: address?.country ?? '' }}
        label={words.country}
        error={wrong('country')}
      >
        <option value="">{words.choose}</option>
        {countriesIn(language).map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        {...{ name: 'vatNumber', autoComplete: 'off', spellCheck: false, defaultValue: vatNumber ?? '' }}
        label={words.vatNumber}
        hint={words.vatNumberHint}
        error={problem?.fields['settings.vatNumber']}
      />
    </SettingsForm>
  );
}

function addressOf({ text }: Values): api.PostalAddress {
  const lines = lineNames.map((name) => text(name).trim()).filter((line) => line !== '');
  const [postalCode, city, country] = [text('postalCode').trim(), text('city').trim(), text('country')];
  const isEmpty = lines.length === 0 && postalCode === '' && city === '' && country === '';
  return isEmpty ? null : { lines, postalCode, city, country };
}
