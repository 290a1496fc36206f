import { ApiError } from '@tenantry/envelope';

/** Lets a few pieces of long work run at once: each keeps a connection of the database to itself. */
export interface Turns {
  /**
   * Takes a turn; give it back by calling what is returned, once.
   *
   * @throws RATE_LIMITED when all turns are taken.
   */
  take(): () => void;
}

/** What {@link Turns.take} throws. */
export const noTurnLeft = () =>
  new ApiError('RATE_LIMITED', 'Other files are being read or written. Try again shortly.', {
    headers: { 'retry-after': '5' },
  });

/** Makes turns for as many as may run at once. */
export function createTurns(atOnceMax: number): Turns {
  let taken = 0;
  return {
    take() {
      if (taken >= atOnceMax) throw noTurnLeft();
      taken += 1;
      let isBack = false;
      return () => {
        if (!isBack) taken -= 1;
        isBack = true;
      };
    },
  };
}
