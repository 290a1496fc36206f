import { Button } from '../design/button.tsx';
import { useDraft } from '../design/drafts.ts';
import { TextField } from '../design/field.tsx';
import { TextArea } from '../design/text-area.tsx';
import { Form } from '../design/form.tsx';
import { IconButton } from '../design/icon-button.tsx';
import { useWords } from '../design/language.ts';
import { Row } from '../design/page.tsx';
import { SidePanel } from '../design/side-panel.tsx';
import { Failure, useProblem } from '../failures/failure.tsx';
import { useScope, useSignedIn } from '../sessions/sessions.queries.ts';
import { leadTexts, textKinds, type LeadText } from './lead-texts.ts';
import { useCreateLead } from './leads.queries.ts';
import { leadWords } from './leads.words.ts';
import { useLeadAddress, type LeadView } from './use-lead-address.ts';

type Typed = Readonly<Partial<Record<LeadText, string>>>;

/** Creates a lead, next to the list; the input is kept until it is created or discarded. */
export function NewLead({ view }: { readonly view: LeadView }) {
  const { form: words, lead } = useWords(leadWords);
  const { go, arrive } = useLeadAddress(view);
  const [scope, { user }] = [useScope(), useSignedIn()];
  const [draft, write] = useDraft(`${user.id}:${scope}:lead:new`);
  const create = useCreateLead();
  const problem = useProblem(create.error);
  const typed = JSON.parse(draft ?? '{}') as Typed;
  const close = () => go({ id: undefined });
  const controlOf = (name: LeadText) => ({
    name,
    autoComplete: 'off',
    label: lead.fields[name],
    required: !textKinds[name].isOptional,
    value: typed[name] ?? '',
    error: problem?.fields[name],
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      write(JSON.stringify({ ...typed, [name]: target.value })),
  });
  const submit = () => {
    const { name = '', email = '', ...optional } = typed;
    const given = Object.fromEntries(Object.entries(optional).filter(([, text]) => text.trim() !== ''));
    create.mutate(
      { name, email, ...given },
      {
        onSuccess: (id) => {
          write(undefined);
          return arrive({ id }, { replace: true });
        },
      },
    );
  };
  return (
    <SidePanel
      title={words.title}
      about="new"
      actions={<IconButton icon="close" label={lead.close} onClick={close} />}
    >
      <Form sends={create} isBegun={draft !== undefined} onDiscard={() => write(undefined)} onSubmit={submit}>
        {create.error !== null && <Failure error={create.error} />}
        {leadTexts.map((name) => {
          const { kind } = textKinds[name];
          if (kind === 'lines') return <TextArea key={name} {...controlOf(name)} rows={4} />;
          const isFirst = name === leadTexts[0];
          return (
            <TextField
              key={name}
              {...controlOf(name)}
              type={kind}
              autoFocus={isFirst}
              data-keeps-focus={isFirst || undefined}
            />
          );
        })}
        <Row>
          <Button type="submit" kind="primary" isBusy={create.isPending}>
            {words.submit}
          </Button>
          <Button
            onClick={() => {
              write(undefined);
              go({ id: undefined }, { ignoreBlocker: true });
            }}
          >
            {words.cancel}
          </Button>
        </Row>
      </Form>
    </SidePanel>
  );
}
