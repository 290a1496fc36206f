import { useState, type InputEvent } from 'react';
import { Facts } from '../design/facts.tsx';
import { TextField } from '../design/field.tsx';
import { useFormats, useLanguage, useWords } from '../design/language.ts';
import { valuesOf, type Values } from '../design/plain-form.tsx';
import { SelectField } from '../design/select-field.tsx';
import { useProblem } from '../failures/failure.tsx';
import { countriesIn } from './choices.ts';
import { Letterhead, type Sender } from './letterhead.tsx';
import styles from './organization.module.css';
import { SettingsForm, type OrganizationFormProps } from './settings-forms.tsx';
import { useUpdateOrganization } from './settings.queries.ts';
import { settingsWords } from './settings.words.ts';

const lineNames = ['line1', 'line2', 'line3'] as const;

/** Who the organization is, beside the head of its quotes, which follows what is typed. */
export function CompanyForm({ organization }: OrganizationFormProps) {
  const { name, settings } = organization;
  const [typed, setTyped] = useState<Sender>({ name, ...settings });
  const follow = ({ target }: InputEvent) => {
    const form = target instanceof HTMLElement ? target.closest('form') : null;
    if (form) setTyped(senderOf(valuesOf(form)));
  };
  return (
    <div className={styles['company']} onInput={follow}>
      <Fields organization={organization} />
      <Letterhead sender={typed} logo={organization.logo} />
    </div>
  );
}

function Fields({ organization }: OrganizationFormProps) {
  const { profile, address: words } = useWords(settingsWords);
  const [language, formats] = [useLanguage(), useFormats()];
  const update = useUpdateOrganization();
  const problem = useProblem(update.error);
  const { name, slug, createdAt, settings } = organization;
  const { address, vatNumber, timeZone } = settings;
  const wrong = (field: string) => problem?.fields[`settings.address.${field}`];
  return (
    <SettingsForm
      update={update}
      onSubmit={(values) => {
        const { name: typed, ...sender } = senderOf(values);
        update.mutate({ name: typed, settings: { timeZone: values.text('timeZone'), ...sender } });
      }}
    >
      <TextField
        {...{ name: 'name', required: true, autoComplete: 'organization', defaultValue: name }}
        label={profile.name}
        error={problem?.fields['name']}
      />
      {lineNames.map((line, index) => (
        <TextField
          key={line}
          name={line}
          autoComplete={`address-line${index + 1}`}
          defaultValue={address?.lines[index]}
          label={words.lines[index] ?? ''}
          error={wrong(`lines.${index}`) ?? (index === 0 ? wrong('lines') : undefined)}
        />
      ))}
      <div className={styles['place']}>
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
      </div>
      <SelectField
        {...{ name: 'country', autoComplete: 'country', defaultValue: address?.country ?? '' }}
        label={words.country}
        error={wrong('country')}
      >
        <option value="">{words.choose}</option>
        {countriesIn(language).map(({ code, name: called }) => (
          <option key={code} value={code}>
            {called}
          </option>
        ))}
      </SelectField>
      <TextField
        {...{ name: 'vatNumber', autoComplete: 'off', spellCheck: false, defaultValue: vatNumber ?? '' }}
        label={words.vatNumber}
        hint={words.vatNumberHint}
        error={problem?.fields['settings.vatNumber']}
      />
      <SelectField
        {...{ name: 'timeZone', defaultValue: timeZone }}
        label={profile.timeZone}
        hint={profile.timeZoneHint}
        error={problem?.fields['settings.timeZone']}
      >
        {[...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', timeZone])].toSorted().map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </SelectField>
      <Facts
        facts={[
          [profile.slug, slug],
          [profile.since, formats.day(createdAt)],
        ]}
      />
    </SettingsForm>
  );
}

/** What the fields say of the organization; with every field of the address empty it has none. */
function senderOf({ text }: Values): Sender {
  const lines = lineNames.map((name) => text(name).trim()).filter((line) => line !== '');
  const [postalCode, city, country] = [text('postalCode').trim(), text('city').trim(), text('country')];
  const isEmpty = lines.length === 0 && postalCode === '' && city === '' && country === '';
  return {
    name: text('name'),
    address: isEmpty ? null : { lines, postalCode, city, country },
    vatNumber: text('vatNumber').trim() || null,
  };
}
