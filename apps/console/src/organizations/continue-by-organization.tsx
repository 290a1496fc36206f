import { Button } from '../design/button.tsx';
import { useWords } from '../design/language.ts';
import { Failure } from '../failures/failure.tsx';
import { useVisitOrganization } from '../sessions/ways/providers.queries.ts';
import { organizationWords } from './organizations.words.ts';

/** Leaves for the identity provider of an organization, from which the reader comes back signed in to it. */
export function ContinueByOrganization({ slug }: { readonly slug: string }) {
  const { menu: words } = useWords(organizationWords);
  const visit = useVisitOrganization('/');
  return (
    <>
      {visit.error !== null && <Failure error={visit.error} />}
      <Button onClick={() => visit.mutate({ slug })} isBusy={visit.isPending}>
        {words.continueBy}
      </Button>
    </>
  );
}
