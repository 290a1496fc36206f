import { useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { droppedOn, nextColumn, takes, type HeldCard } from './card-steps.ts';
import { leadStatuses, type LeadStatus } from './lead-filters.ts';
import type { ListedLead } from './leads.queries.ts';

/** A card in somebody's hand. */
export interface Held extends HeldCard {
  readonly lead: ListedLead;
  /** Where the pointer is; undefined for keys. */
  readonly at: { readonly x: number; readonly y: number } | undefined;
}

/** A shorter way is a press. */
const wayMin = 5;
const edge = 48;

interface DragOptions {
  readonly board: RefObject<HTMLElement | null>;
  readonly onDrop: (card: Held, to: LeadStatus) => void;
  readonly onSay: (what: 'held' | 'over' | 'left' | 'refused', held: Held) => void;
}

/** Cards are held and dropped by mouse, by touch at their handle, and by keys. */
export function useCardDrag({ board, onDrop, onSay }: DragOptions) {
  const [held, setHeld] = useState<Held>();
  const begun = useRef<{ readonly lead: ListedLead; readonly x: number; readonly y: number }>(undefined);

  const drop = (card: Held): void => {
    const to = droppedOn(card);
    setHeld(undefined);
    if (to === undefined) onSay(card.over === card.from ? 'left' : 'refused', card);
    else onDrop(card, to);
  };

  const pointer = (lead: ListedLead) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const isHandle = (event.target as Element).closest('[data-handle]') !== null;
      if (event.button !== 0 || (event.pointerType !== 'mouse' && !isHandle)) return;
      begun.current = { lead, x: event.clientX, y: event.clientY };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = begun.current;
      if (from?.lead.id !== lead.id) return;
      const at = { x: event.clientX, y: event.clientY };
      if (!held?.at && Math.hypot(at.x - from.x, at.y - from.y) < wayMin) return;
      if (!held?.at) event.currentTarget.setPointerCapture(event.pointerId);
      const over = columnAt(event.currentTarget.ownerDocument, at) ?? lead.status;
      setHeld({ ...heldOf(lead), over, at });
      scrollAtEdges(board.current, at.x);
    },
    onPointerUp: () => {
      begun.current = undefined;
      if (held?.at) drop(held);
    },
    onPointerCancel: () => {
      begun.current = undefined;
      setHeld(undefined);
    },
  });

  const keys = (lead: ListedLead) => ({
    onKeyDown: (event: KeyboardEvent) => {
      const isHeld = held?.id === lead.id && !held.at;
      if (event.key === ' ' || event.key === 'Enter') {
        if (isHeld) drop(held);
        else {
          const card: Held = { ...heldOf(lead), at: undefined };
          setHeld(card);
          onSay('held', card);
        }
      } else if (isHeld && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
        const card = { ...held, over: nextColumn(held, event.key === 'ArrowLeft' ? -1 : 1) };
        setHeld(card);
        onSay('over', card);
      } else if (isHeld && event.key === 'Escape') {
        setHeld(undefined);
        onSay('left', held);
      } else return;
      event.preventDefault();
      event.stopPropagation();
    },
    onBlur: () => {
      if (held && !held.at) setHeld(undefined);
    },
  });

  return { held, pointer, keys, accepts: (status: LeadStatus) => held !== undefined && takes(held, status) };
}

const heldOf = (lead: ListedLead) => ({
  id: lead.id,
  lead,
  from: lead.status,
  over: lead.status,
  allowed: lead.allowedTransitions ?? [],
});

/** The column under a pointer. */
function columnAt(page: Document, { x, y }: { readonly x: number; readonly y: number }) {
  const column = page.elementFromPoint(x, y)?.closest<HTMLElement>('[data-column]')?.dataset['column'];
  return leadStatuses.find((status) => status === column);
}

/** A board that is wider than the window follows a card to its edges. */
function scrollAtEdges(board: HTMLElement | null, x: number): void {
  if (!board) return;
  const { left, right } = board.getBoundingClientRect();
  if (x < left + edge) board.scrollLeft -= 16;
  if (x > right - edge) board.scrollLeft += 16;
}

/** How cards are held. */
export type CardDrag = ReturnType<typeof useCardDrag>;
