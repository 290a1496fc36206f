import { Link } from '@tanstack/react-router';
import type { api } from '@tenantry/client';
import type { ReactNode } from 'react';
import { useWords } from '../design/language.ts';
import { Page as Frame, Section } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { SubPages } from '../design/sub-pages.tsx';
import { Failure } from '../failures/failure.tsx';
import { useMay } from '../sessions/sessions.queries.ts';
import { useMayOpen } from '../shell/pages.queries.ts';
import { CompanyForm } from './company-form.tsx';
import { DeleteForm } from './delete-form.tsx';
import { LeadMoves } from './lead-moves.tsx';
import { LogoForm } from './logo-form.tsx';
import { useOrganization } from './organization.queries.ts';
import { OrganizationFacts } from './organization-facts.tsx';
import { QuotesForm } from './settings-forms.tsx';
import { settingsWords } from './settings.words.ts';
import { TwoFactorRequirement } from './two-factor-requirement.tsx';
import { Usage } from './usage.tsx';

/** What the organization is called and where it is, as its quotes say it. */
export function Page() {
  const words = useWords(settingsWords);
  const may = useMay();
  return (
    <Part>
      {(organization) =>
        may('updateOrganization') ? (
          <>
            <Section title={words.company.title} about={words.company.about} isWide>
              <CompanyForm organization={organization} />
            </Section>
            <Section title={words.logo.title} about={words.logo.about}>
              <LogoForm organization={organization} />
            </Section>
          </>
        ) : (
          <OrganizationFacts organization={organization} />
        )
      }
    </Part>
  );
}

/** What new quotes begin with. */
export function QuotesPage() {
  const words = useWords(settingsWords);
  return (
    <Part>
      {(organization) => (
        <Section title={words.quotes.title} about={words.quotes.about}>
          <QuotesForm organization={organization} />
        </Section>
      )}
    </Part>
  );
}

/** Which moves of leads it allows. */
export function LeadsPage() {
  const words = useWords(settingsWords);
  return (
    <Part>
      {() => (
        <Section title={words.leads.title} about={words.leads.about}>
          <LeadMoves />
        </Section>
      )}
    </Part>
  );
}

/** What the organization asks of its members, and how people and programs get in. */
export function SecurityPage() {
  const words = useWords(settingsWords);
  const may = useMay();
  return (
    <Part>
      {({ settings }) => (
        <>
          <Section title={words.twoFactor.title} about={words.twoFactor.about}>
            <TwoFactorRequirement isRequired={settings.requireTwoFactor} />
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
        </>
      )}
    </Part>
  );
}

/** How much the organization stores, and how to take it along. */
export function DataPage() {
  const words = useWords(settingsWords);
  const may = useMay();
  return (
    <Part>
      {({ role }) => (
        <>
          <Section title={words.usage.title} about={words.usage.about}>
            <Usage isOwner={role === 'owner'} />
          </Section>
          {may('exportLeadsOfOrganization') && (
            <Section title={words.export.title} about={words.export.about}>
              <p>
                <Link to="/organization/export">{words.export.open}</Link>
              </p>
            </Section>
          )}
        </>
      )}
    </Part>
  );
}

/** The end of the organization. */
export function DangerPage() {
  const words = useWords(settingsWords);
  return (
    <Part>
      {({ slug }) => (
        <Section title={words.erase.title} about={words.erase.about}>
          <DeleteForm slug={slug} />
        </Section>
      )}
    </Part>
  );
}

const parts = ['company', 'quotes', 'leads', 'security', 'data', 'danger'] as const;

/** A part of the settings, with the ways to the others that the reader may open. */
function Part({ children }: { readonly children: (organization: api.Organization) => ReactNode }) {
  const words = useWords(settingsWords);
  const mayOpen = useMayOpen();
  const query = useOrganization();
  const pages = parts.map(
    (part) => [part === 'company' ? '/organization' : `/organization/${part}`, words.parts[part]] as const,
  );
  return (
    <Frame title={words.title}>
      <SubPages label={words.partsLabel} pages={pages.filter(([path]) => mayOpen(path))} />
      {query.isPending && <Skeleton label={words.title} lines={12} />}
      {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && children(query.data)}
    </Frame>
  );
}
