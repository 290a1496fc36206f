import { useState } from 'react';
import { Button } from '../design/button.tsx';
import { TextField } from '../design/field.tsx';
import { Form } from '../design/form.tsx';
import { useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useSessionStore, useSignedIn } from '../sessions/sessions.queries.ts';
import { isNumbered, useKnowsPasskeys } from '../sessions/ways/passkeys.queries.ts';
import { useVisitProvider } from '../sessions/ways/providers.queries.ts';
import { useAddPasskey } from './ways-in.queries.ts';
import { waysInWords } from './ways-in.words.ts';

/** Adds a sign-in method that is configured and that this browser supports. */
export function AddWays({ linked }: { readonly linked: readonly string[] }) {
  const words = useWords(waysInWords);
  const { signIn } = useSignedIn();
  const visit = useVisitProvider('link', '/account/security');
  const { origin } = useSessionStore();
  const knowsPasskeys = useKnowsPasskeys();
  const named = `${origin.replace('127.0.0.1', 'localhost')}/account/security`;
  const others = signIn.providers.filter(({ id }) => !linked.includes(id));
  return (
    <>
      {signIn.passkeys && knowsPasskeys && <AddPasskey />}
      {signIn.passkeys && isNumbered(origin) && (
        <p>
          {words.passkeysAt} <a href={named}>{named}</a>
        </p>
      )}
      {visit.error !== null && <Failure error={visit.error} />}
      {others.length > 0 && (
        <Row>
          {others.map(({ id, name }) => (
            <Button
              key={id}
              isBusy={visit.isPending && visit.variables === id}
              onClick={() => visit.mutate(id)}
            >
              {words.link(name)}
            </Button>
          ))}
        </Row>
      )}
    </>
  );
}

function AddPasskey() {
  const words = useWords(waysInWords);
  const add = useAddPasskey();
  const problem = useProblem(add.error);
  const [added, setAdded] = useState(0);
  return (
    <Form
      key={added}
      sends={add}
      onSubmit={({ text }) => add.mutate(text('name').trim(), { onSuccess: () => setAdded(added + 1) })}
    >
      {add.error !== null && <Failure error={add.error} />}
      <TextField
        name="name"
        autoComplete="off"
        label={words.passkeyName}
        hint={words.passkeyHint}
        error={problem?.fields['name']}
      />
      <Row>
        <Button type="submit" isBusy={add.isPending}>
          {words.addPasskey}
        </Button>
      </Row>
    </Form>
  );
}
