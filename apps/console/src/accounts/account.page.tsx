import type { ReactNode } from 'react';
import { useWords } from '../design/language.ts';
import { Page as Frame, Section } from '../design/page.tsx';
import { SubPages } from '../design/sub-pages.tsx';
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

/** Who the user is, and where letters to them go. */
export function Page() {
  const words = useWords(accountWords);
  return (
    <Part>
      <Section title={words.profile.title} about={words.profile.about}>
        <ProfileForm />
      </Section>
      <Section title={words.address.title} about={words.address.about}>
        <EmailForm />
      </Section>
    </Part>
  );
}

/** How the user signs in, and where they are signed in. */
export function SecurityPage() {
  const words = useWords(accountWords);
  const twoFactor = useWords(twoFactorWords);
  const waysIn = useWords(waysInWords);
  return (
    <Part>
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
    </Part>
  );
}

/** What happened to the account. */
export function ActivityPage() {
  const activity = useWords(activityWords);
  return (
    <Part>
      <Section title={activity.title} about={activity.about}>
        <ActivityList />
      </Section>
    </Part>
  );
}

/** The end of the account. */
export function DangerPage() {
  const words = useWords(accountWords);
  return (
    <Part>
      <Section title={words.erase.title} about={words.erase.about}>
        <EraseForm />
      </Section>
    </Part>
  );
}

const parts = ['profile', 'security', 'activity', 'danger'] as const;

/** A part of the account, with the ways to the others. */
function Part({ children }: { readonly children: ReactNode }) {
  const words = useWords(accountWords);
  const pages = parts.map(
    (part) => [part === 'profile' ? '/account' : `/account/${part}`, words.parts[part]] as const,
  );
  return (
    <Frame title={words.title}>
      <SubPages label={words.partsLabel} pages={pages} />
      {children}
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
