import { countBy, type Charge } from '@tenantry/service-kit/rate-limits';

/** What came of a change that was asked for. */
export interface ChangeOutcome {
  /** False where everything was so already: nothing is written then, in no trail and no feed. */
  readonly hasChanged: boolean;
}

/** Counts a change before its transaction begins, and not at all where it fails or changes nothing. @throws RATE_LIMITED */
export async function countChange<Outcome extends ChangeOutcome>(
  charge: Charge,
  change: () => Promise<Outcome>,
): Promise<Outcome> {
  const counted = await countBy(charge);
  try {
    const outcome = await change();
    if (!outcome.hasChanged) await counted.giveBack();
    return outcome;
  } catch (error) {
    await counted.giveBack();
    throw error;
  }
}
