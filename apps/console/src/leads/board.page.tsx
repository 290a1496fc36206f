import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useLanguage, useWords } from '../design/language.ts';
import { WorkPage } from '../design/page.tsx';
import { Split } from '../design/side-panel.tsx';
import { useMay } from '../sessions/sessions.queries.ts';
import { Beside } from './beside.tsx';
import { BoardColumn } from './board-column.tsx';
import styles from './board.module.css';
import { LeadActions } from './lead-actions.tsx';
import { leadStatuses, type LeadFilters } from './lead-filters.ts';
import { reasonOf } from './lead-moves.ts';
import { LeadsToolbar } from './leads-toolbar.tsx';
import { leadWords } from './leads.words.ts';
import { useLeadMoves, type LeadMoves } from './moves.queries.ts';
import { useCardDrag } from './use-card-drag.ts';
import { useLeadAddress } from './use-lead-address.ts';

/** Leads in one column per status; cards can be moved by allowed moves. */
export function Page() {
  const words = useWords(leadWords);
  const { id, filters, go } = useLeadAddress('/leads/board');
  const moves = useLeadMoves();
  return (
    <WorkPage
      title={words.title}
      actions={<LeadActions view="/leads/board" {...{ id, filters, go, moves }} />}
    >
      <LeadsToolbar view="/leads/board" {...{ filters, go }} />
      <Split
        side={id !== undefined && <Beside view="/leads/board" {...{ id, filters, go, moves }} />}
        onClose={() => go({ id: undefined })}
      >
        <Board filters={filters} moves={moves} />
      </Split>
    </WorkPage>
  );
}

interface BoardProps {
  readonly filters: LeadFilters;
  readonly moves: LeadMoves;
}

function Board({ filters, moves }: BoardProps) {
  const { board: words, moves: moveWords, statuses } = useWords(leadWords);
  const language = useLanguage();
  const may = useMay();
  const board = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState('');
  const follow = useFollowedCard(board, moves);
  const drag = useCardDrag({
    board,
    onDrop({ lead, at }, to) {
      const { id, name, version } = lead;
      follow(at ? undefined : id);
      moves.move({ id, name, etag: version === undefined ? undefined : `"${version}"` }, to);
    },
    onSay(what, { lead: { name }, over, ...place }) {
      const status = statuses[over];
      const reason = reasonOf({ moves: moveWords, statuses }, language, place);
      const texts = {
        held: words.held(name, status, reason),
        over: words.over(status),
        left: words.left(name),
        refused: words.refused(name, status, reason),
      };
      setSaid(texts[what]);
    },
  });
  const { held } = drag;
  const shown = filters.statuses.length > 0 ? filters.statuses : leadStatuses;
  return (
    <>
      <p className={styles['help']}>{may('patchLead') && words.help}</p>
      <p role="status" className={styles['said']}>
        {said}
      </p>
      <div
        ref={board}
        className={styles['board']}
        role="region"
        aria-label={words.columns}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Columns without a card are scrolled by keys too.
        tabIndex={0}
        data-held={held !== undefined || undefined}
      >
        {shown.map((status) => (
          <BoardColumn key={status} {...{ status, filters, moves, drag }} canMove={may('patchLead')} />
        ))}
      </div>
      {held?.at && (
        <div
          className={styles['ghost']}
          aria-hidden="true"
          style={{ transform: `translate(${held.at.x}px, ${held.at.y}px)` }}
        >
          <bdi>{held.lead.name}</bdi>
        </div>
      )}
    </>
  );
}

/** A card dropped by keyboard keeps the focus in its new place, until the focus moves elsewhere. */
function useFollowedCard(board: RefObject<HTMLElement | null>, { pending }: LeadMoves) {
  const followed = useRef<string>(undefined);
  // Before anything else finds the focus lost.
  useLayoutEffect(() => {
    const { current } = board;
    const isLost = current?.ownerDocument.activeElement === current?.ownerDocument.body;
    if (followed.current === undefined || !isLost) return;
    const card = current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(followed.current)}"]`);
    (card?.querySelector<HTMLElement>('[data-handle]') ?? card?.querySelector('a') ?? card)?.focus();
  }, [board, pending]);
  return (id: string | undefined): void => {
    followed.current = id;
  };
}
