import { statement, unscopedStatement, type UserTransaction } from '../../database.ts';

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

const forgetLinks = unscopedStatement({
  name: 'pending-forget-links',
  text: 'DELETE FROM sign_in_flows WHERE user_id = $1',
});

/** Deletes pending links of provider accounts. */
export async function removeLinks(tx: UserTransaction): Promise<void> {
  await tx.query(forgetLinks, [tx.scope.userId]);
}

/** Deletes a second factor that waits for its first code. */
export async function removeEnrolment(tx: UserTransaction): Promise<void> {
  await tx.query(forgetEnrolment, []);
}

/** Deletes sign-ins that wait for their second factor. */
export async function removeSignIns(tx: UserTransaction): Promise<void> {
  await tx.query(forgetSignIns, []);
}
