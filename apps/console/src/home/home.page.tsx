import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useWords } from '../design/language.ts';
import { Page as Frame, Panel } from '../design/page.tsx';
import { useRoleNames } from '../organizations/organizations.queries.ts';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { homeWords } from './home.words.ts';

/** Where somebody begins: the organization that they work in, or what to do before there is one. */
export function Page() {
  const words = useWords(homeWords);
  const { user } = useSignedIn();
  return (
    <Frame title={words.title(user.name)}>
      <Beginning />
    </Frame>
  );
}

function Beginning() {
  const words = useWords(homeWords);
  const roles = useRoleNames();
  const { organization, organizations, session } = useSignedIn();
  if (organization) {
    return (
      <Panel title={organization.name}>
        <p>{words.standing(roles[organization.role])}</p>
      </Panel>
    );
  }
  if (session.organizationRefused) {
    return <Advice {...words.refused} link={<Link to="/account">{words.refused.action}</Link>} />;
  }
  if (organizations.length > 0) return <Advice {...words.choose} />;
  return <Advice {...words.create} link={<Link to="/organizations/new">{words.create.action}</Link>} />;
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
