import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { useWords } from '../design/language.ts';
import { Page as Frame, Panel } from '../design/page.tsx';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { failureWords } from '../failures/failures.words.ts';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { useVisitOrganization } from '../sessions/ways/providers.queries.ts';
import { Dashboard } from './dashboard.tsx';
import { useIsReading } from './home.queries.ts';
import { JoinPanels } from './join-panels.tsx';
import { homeWords } from './home.words.ts';

/** The home page: the active organization, or what to do before there is one. */
export function Page() {
  const words = useWords(homeWords);
  const { loading } = useWords(failureWords);
  const { user, twoFactor, session } = useSignedIn();
  const isReading = useIsReading();
  return (
    <Frame title={words.title(user.name)}>
      <JoinPanels />
      {isReading ? <Skeleton label={loading} lines={8} /> : <Beginning />}
      {!isReading && !twoFactor.enabled && session.confinedTo === undefined && (
        <Advice {...words.secure} link={<Link to="/account/security">{words.secure.action}</Link>} />
      )}
    </Frame>
  );
}

function Beginning() {
  const words = useWords(homeWords);
  const { organization, organizations, session } = useSignedIn();
  if (organization) return <Dashboard />;
  const refused = session.organizationRefused;
  const strict = organizations.find(({ id, ssoRequired }) => id === refused?.organizationId && ssoRequired);
  if (strict) return <Strict name={strict.name} slug={strict.slug} />;
  if (refused) {
    return <Advice {...words.refused} link={<Link to="/account/security">{words.refused.action}</Link>} />;
  }
  if (organizations.length > 0) return <Advice {...words.choose} />;
  return <Advice {...words.create} link={<Link to="/organizations/new">{words.create.action}</Link>} />;
}

/** An organization that wants the reader to sign in through it. */
function Strict({ name, slug }: { readonly name: string; readonly slug: string }) {
  const { refusedBySso: words } = useWords(homeWords);
  const visit = useVisitOrganization('/');
  return (
    <Panel title={words.title(name)}>
      <p>{words.text}</p>
      {visit.error !== null && <Failure error={visit.error} />}
      <Button kind="primary" onClick={() => visit.mutate({ slug })} isBusy={visit.isPending}>
        {words.action}
      </Button>
    </Panel>
  );
}

interface AdviceProps {
  readonly title: string;
  readonly text: string;
  readonly link?: ReactNode;
}

function Advice({ title, text, link }: AdviceProps) {
  return (
    <Panel title={title}>
      <p>{text}</p>
      {link && <p>{link}</p>}
    </Panel>
  );
}
