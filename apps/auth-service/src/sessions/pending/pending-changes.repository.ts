import { statement, type Transaction } from '../../database.ts';

const forgetEnrolment = statement({
  name: 'pending-forget-enrolment',
  owner: 'user',
  text: 'DELETE FROM two_factor WHERE user_id = $1 AND enabled_at IS NULL',
});

const forgetSignIns = statement({
  name: 'pending-forget-sign-ins',
  owner: 'user',
  text: 'DELETE FROM two_factor_challenges WHERE user_id = $1',
});

/** Forgets a second factor that waits for its first code. */
export async function removeEnrolment(tx: Transaction): Promise<void> {
  await tx.query(forgetEnrolment, []);
}

/** Forgets sign-ins that wait for their second factor. */
export async function removeSignIns(tx: Transaction): Promise<void> {
  await tx.query(forgetSignIns, []);
}
