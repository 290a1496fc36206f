import { Fragment } from 'react';
import { Choice, Choices } from '../design/choices.tsx';
import { Facts } from '../design/facts.tsx';
import { useWords } from '../design/language.ts';
import { Skeleton } from '../design/skeleton.tsx';
import { Failure } from '../failures/failure.tsx';
import { useFurtherMoves, useLeadSettings, useUpdateLeadSettings } from '../leads/lead-settings.queries.ts';
import { useMay } from '../sessions/sessions.queries.ts';
import { SettingsForm } from './settings-forms.tsx';
import { settingsWords } from './settings.words.ts';

type ReadSettings = NonNullable<ReturnType<typeof useLeadSettings>['data']>;

/** How leads of the organization may move: a form for admins, and facts for others. */
export function LeadMoves() {
  const { leads: words } = useWords(settingsWords);
  const may = useMay();
  const query = useLeadSettings();
  if (query.isPending) return <Skeleton label={words.title} lines={5} />;
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return may('updateLeadSettings') ? <LeadMovesForm {...query.data} /> : <LeadMovesFacts {...query.data} />;
}

function useMoveNames() {
  const { leads: words } = useWords(settingsWords);
  return useFurtherMoves().map(({ move, from, to }) => ({ move, name: words.move(from, to) }));
}

function LeadMovesForm({ settings, etag }: ReadSettings) {
  const { leads: words } = useWords(settingsWords);
  const names = useMoveNames();
  const update = useUpdateLeadSettings();
  return (
    <SettingsForm
      update={update}
      onSubmit={({ text }) =>
        update.mutate({
          changes: {
            furtherMoves: names.map(({ move }) => move).filter((move) => text(move) !== ''),
            acceptedQuoteMovesLead: text('acceptedQuote') !== '',
          },
          etag,
        })
      }
    >
      {/* What another admin has saved meanwhile is shown. */}
      <Fragment key={etag}>
        <Choices legend={words.further}>
          {names.map(({ move, name }) => (
            <Choice
              key={move}
              {...{ type: 'checkbox', name: move, label: name }}
              defaultChecked={settings.furtherMoves.includes(move)}
            />
          ))}
        </Choices>
        <Choices legend={words.quotes}>
          <Choice
            {...{ type: 'checkbox', name: 'acceptedQuote', label: words.acceptedQuote }}
            defaultChecked={settings.acceptedQuoteMovesLead}
          />
        </Choices>
      </Fragment>
    </SettingsForm>
  );
}

function LeadMovesFacts({ settings }: ReadSettings) {
  const { leads: words } = useWords(settingsWords);
  const names = useMoveNames().filter(({ move }) => settings.furtherMoves.includes(move));
  return (
    <Facts
      facts={[
        [words.further, names.length > 0 ? names.map(({ name }) => name).join(', ') : words.noneFurther],
        [words.quotes, settings.acceptedQuoteMovesLead ? words.acceptedQuote : words.notAcceptedQuote],
      ]}
    />
  );
}
