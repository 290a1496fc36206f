import { countBy, type Charge } from '@tenantry/service/rate-limits';

/** The result of a requested change. */
export interface ChangeOutcome {
  /** False if nothing differed: then nothing is written, neither to a trail nor to a feed. */
  readonly hasChanged: boolean;
}

/** Counts a change before its transaction begins, and undoes the count if it fails or changes nothing. @throws RATE_LIMITED */
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
