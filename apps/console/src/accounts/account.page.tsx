import { useWords } from '../design/language.ts';
import { Page as Frame, Section } from '../design/page.tsx';
import { accountWords } from './accounts.words.ts';
import { ActivityList } from './activity-list.tsx';
import { activityWords } from './activity.words.ts';
import { EmailForm } from './email-form.tsx';
import { EraseForm } from './erase-form.tsx';
import { useHasPassword } from './own-password.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SessionList } from './session-list.tsx';
import { TwoFactor } from './two-factor.tsx';
import { twoFactorWords } from './two-factor.words.ts';
import { WaysIn } from './ways-in.tsx';
import { waysInWords } from './ways-in.words.ts';

/** The user's account: profile, sign-in methods, sessions and activity. */
export function Page() {
  const words = useWords(accountWords);
  const twoFactor = useWords(twoFactorWords);
  const activity = useWords(activityWords);
  const waysIn = useWords(waysInWords);
  return (
    <Frame title={words.title}>
      <Section title={words.profile.title} about={words.profile.about}>
        <ProfileForm />
      </Section>
      <Section title={words.address.title} about={words.address.about}>
        <EmailForm />
      </Section>
      <Section title={waysIn.title} about={waysIn.about}>
        <WaysIn />
      </Section>
      <PasswordSection />
      <Section title={twoFactor.title} about={twoFactor.about}>
        <TwoFactor />
      </Section>
      <Section title={words.sessions.title} about={words.sessions.about}>
        <SessionList />
      </Section>
      <Section title={activity.title} about={activity.about}>
        <ActivityList />
      </Section>
      <Section title={words.erase.title} about={words.erase.about}>
        <EraseForm />
      </Section>
    </Frame>
  );
}

/** Changing the password, for somebody who has one. */
function PasswordSection() {
  const { password: words } = useWords(accountWords);
  if (!useHasPassword()) return null;
  return (
    <Section title={words.title} about={words.about}>
      <PasswordForm />
    </Section>
  );
}
