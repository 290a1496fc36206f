import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { SelectField } from '../design/select-field.tsx';
import { Form } from '../design/form.tsx';
import { languageNames, languages, useLanguage, useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { useDoneToast } from '../design/use-done-toast.ts';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { useUpdateProfile } from './accounts.queries.ts';
import { accountWords } from './accounts.words.ts';
import { timeZonesWith } from './time-zones.ts';

/** Name, language and time zone. */
export function ProfileForm() {
  const words = useWords(accountWords);
  const language = useLanguage();
  const { user } = useSignedIn();
  const update = useUpdateProfile();
  const problem = useProblem(update.error);
  useDoneToast(update, words.saved);
  const timeZone = user.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Form
      sends={update}
      onSubmit={({ text }) => {
        update.mutate({ name: text('name'), language: text('language'), timeZone: text('timeZone') });
      }}
    >
      {update.error !== null && <Failure error={update.error} />}
      <TextField
        name="name"
        required
        autoComplete="name"
        defaultValue={user.name}
        label={words.profile.name}
        error={problem?.fields['name']}
      />
      <SelectField
        name="language"
        defaultValue={language}
        label={words.profile.language}
        hint={words.profile.languageHint}
        error={problem?.fields['language']}
      >
        {languages.map((known) => (
          <option key={known} value={known} lang={known}>
            {languageNames[known]}
          </option>
        ))}
      </SelectField>
      <SelectField
        name="timeZone"
        defaultValue={timeZone}
        label={words.profile.timeZone}
        error={problem?.fields['timeZone']}
      >
        {timeZonesWith(timeZone).map((zone) => (
          <option key={zone}>{zone}</option>
        ))}
      </SelectField>
      <Row>
        <Button type="submit" kind="primary" isBusy={update.isPending}>
          {words.save}
        </Button>
      </Row>
    </Form>
  );
}
