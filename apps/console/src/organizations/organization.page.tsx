import { Link } from '@tanstack/react-router';
import { useWords } from '../design/language.ts';
import { Page as Frame, Section } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { useMay } from '../sessions/sessions.queries.ts';
import { AddressForm } from './address-form.tsx';
import { DeleteForm } from './delete-form.tsx';
import { LeadMoves } from './lead-moves.tsx';
import { LogoForm } from './logo-form.tsx';
import { useOrganization } from './organization.queries.ts';
import { OrganizationFacts } from './organization-facts.tsx';
import { NameForm, QuotesForm } from './settings-forms.tsx';
import { settingsWords } from './settings.words.ts';
import { TwoFactorRequirement } from './two-factor-requirement.tsx';
import { Usage } from './usage.tsx';

/** What the organization is called, what its quotes say of it, and what it asks of its members. */
export function Page() {
  const words = useWords(settingsWords);
  return (
    <Frame title={words.title}>
      <Settings />
    </Frame>
  );
}

function Settings() {
  const words = useWords(settingsWords);
  const may = useMay();
  const query = useOrganization();
  if (query.isPending) return <Skeleton label={words.title} lines={12} />;
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  const organization = query.data;
  const usage = (
    <Section title={words.usage.title} about={words.usage.about}>
      <Usage isOwner={organization.role === 'owner'} />
    </Section>
  );
  const leads = may('getLeadSettings') && (
    <Section title={words.leads.title} about={words.leads.about}>
      <LeadMoves />
    </Section>
  );
  if (!may('updateOrganization')) {
    return (
      <>
        <OrganizationFacts organization={organization} />
        {leads}
        {usage}
      </>
    );
  }
  return (
    <>
      <Section title={words.profile.title} about={words.profile.about}>
        <NameForm organization={organization} />
      </Section>
      <Section title={words.quotes.title} about={words.quotes.about}>
        <QuotesForm organization={organization} />
      </Section>
      {leads}
      <Section title={words.address.title} about={words.address.about}>
        <AddressForm organization={organization} />
      </Section>
      <Section title={words.logo.title} about={words.logo.about}>
        <LogoForm organization={organization} />
      </Section>
      <Section title={words.twoFactor.title} about={words.twoFactor.about}>
        <TwoFactorRequirement isRequired={organization.settings.requireTwoFactor} />
      </Section>
      {may('listServiceAccounts') && (
        <Section title={words.keys.title} about={words.keys.about}>
          <p>
            <Link to="/organization/keys">{words.keys.open}</Link>
          </p>
        </Section>
      )}
      {may('listDomains') && (
        <Section title={words.domains.title} about={words.domains.about}>
          <p>
            <Link to="/organization/access">{words.domains.open}</Link>
          </p>
        </Section>
      )}
      {usage}
      {may('exportLeadsOfOrganization') && (
        <Section title={words.export.title} about={words.export.about}>
          <p>
            <Link to="/organization/export">{words.export.open}</Link>
          </p>
        </Section>
      )}
      {may('deleteOrganization') && (
        <Section title={words.erase.title} about={words.erase.about}>
          <DeleteForm slug={organization.slug} />
        </Section>
      )}
    </>
  );
}
