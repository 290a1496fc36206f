import { useWords } from '../design/language.ts';
import { Page as Frame, Section } from '../design/page.tsx';
import { accountWords } from './accounts.words.ts';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SessionList } from './session-list.tsx';

/** What somebody is called, proves themselves with, and where they are signed in. */
export function Page() {
  const words = useWords(accountWords);
  return (
    <Frame title={words.title}>
      <Section title={words.profile.title} about={words.profile.about}>
        <ProfileForm />
      </Section>
      <Section title={words.password.title} about={words.password.about}>
        <PasswordForm />
      </Section>
      <Section title={words.sessions.title} about={words.sessions.about}>
        <SessionList />
      </Section>
    </Frame>
  );
}
