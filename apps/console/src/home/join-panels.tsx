import { Link } from '@tanstack/react-router';
import { shownDomain } from '@tenantry/text';
import { Button } from '../design/button.tsx';
import { useWords } from '../design/language.ts';
import { Panel } from '../design/page.tsx';
import { Failure } from '../failures/failure.tsx';
import { useJoinableOrganizations, useJoinOrganization } from '../organizations/joinable.queries.ts';
import { useSignedIn } from '../sessions/sessions.queries.ts';
import { homeWords } from './home.words.ts';

/** Organizations that let the reader in by their address. */
export function JoinPanels() {
  const { join: words, secure } = useWords(homeWords);
  const { twoFactor } = useSignedIn();
  const joinable = useJoinableOrganizations();
  const join = useJoinOrganization();
  return joinable.map((organization) => (
    <Panel key={organization.id} title={words.title(organization.name)}>
      <p>{words.text(shownDomain(organization.domain))}</p>
      {join.error !== null && <Failure error={join.error} />}
      {organization.twoFactorRequired && !twoFactor.enabled ? (
        <p>
          {words.twoFactor} <Link to="/account/security">{secure.action}</Link>
        </p>
      ) : (
        <div>
          <Button isBusy={join.isPending} onClick={() => join.mutate(organization)}>
            {words.action}
          </Button>
        </div>
      )}
    </Panel>
  ));
}
