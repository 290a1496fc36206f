import { quoteTarget, type QuotationAudit } from '../audit/quotation-actions.ts';
import type { Customers } from '../customers/customers.ts';
import type { Tenant, Transaction } from '../database.ts';
import type { Logos } from '../logos/logos.ts';
import { requireGlyphs } from '../pdf/glyphs.ts';
import type { LockedQuotes, QuoteTarget } from './locked-quotes.ts';
import { quoteCannotMove } from './quotes.errors.ts';
import type { QuoteRepository } from './quotes.repository.ts';
import type { Quote, SenderThen } from './quote.ts';
import type { Settings } from '../settings/settings.ts';

/** How a quote moves from one status to the next. */
export interface Moves {
  /** Sends a draft, empty or not, whose letters its PDF can show. From then on it is frozen. */
  send(tenant: Tenant, target: QuoteTarget, letter: Letter): Promise<SentQuote>;
}

/** What goes to the customer beside the quote. */
export interface Letter {
  readonly recipientEmail: string;
  /** Several lines; empty for none. */
  readonly message: string;
}

/** A letter, and who sends it. */
export interface SentLetter extends Letter {
  /** Not kept of letters that were put before it was. */
  readonly senderId?: string;
}

/** A quote that was sent. */
export type SentQuote = Quote & { readonly sentAt: string };

/** What follows from sending, in its transaction: together with it or not at all. */
export type UponSend = (
  tx: Transaction,
  sent: { quote: SentQuote; letter: Letter; actorUserId: string },
) => Promise<void>;

/** What the moves need. */
export interface MovesOptions {
  readonly repository: Pick<QuoteRepository, 'lettersOf' | 'markSent'>;
  readonly locked: LockedQuotes;
  readonly customers: Pick<Customers, 'requireKept'>;
  readonly settings: Settings;
  readonly logos: Pick<Logos, 'keepSent'>;
  readonly audit: QuotationAudit;
  readonly now: () => Date;
  readonly uponSend?: readonly UponSend[];
}

/** Makes the moves of quotes. Each looks at the status under the lock, so that of two at once one is refused. */
export function createMoves({
  repository,
  locked,
  customers,
  settings,
  logos,
  audit,
  now,
  uponSend = [],
}: MovesOptions): Moves {
  return {
    send: (tenant, target, letter) =>
      locked.with(tenant, target, async (tx, draft) => {
        if (draft.status !== 'draft') throw quoteCannotMove(draft.status, 'sent');
        await customers.requireKept(tx, draft);
        const { name, address, vatNumber, timeZone, logo: shown } = await settings.current(tx);
        await requireGlyphs([
          name,
          address,
          vatNumber,
          draft.customerName,
          await repository.lettersOf(tx, draft.id),
        ]);
        const logo = await logos.keepSent(tx, shown);
        const seller: SenderThen = {
          ...{ name, address, vatNumber, timeZone },
          ...(logo !== undefined && { logo }),
        };
        const { actorUserId } = target;
        const at = now();
        const quote = {
          ...(await repository.markSent(tx, draft.id, { at, by: actorUserId, seller })),
          sentAt: at.toISOString(),
        };
        await audit.record(tx, { actorUserId, action: 'quote.sent', target: quoteTarget(quote.id) });
        for (const follow of uponSend) await follow(tx, { quote, letter, actorUserId });
        return quote;
      }),
  };
}
