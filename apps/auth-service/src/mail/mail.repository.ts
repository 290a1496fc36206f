import type { Transaction } from '../database.ts';

/** A letter as it is stored. */
export interface NewMail {
  readonly id: string;
  readonly recipient: string;
  readonly template: string;
  readonly payload: Buffer;
  readonly secretId: string;
}

/** Adds a letter to the outbox. */
export async function insertMail({ prisma }: Transaction, { payload, ...mail }: NewMail): Promise<void> {
  await prisma.mail.create({ data: { ...mail, payload: new Uint8Array(payload) } });
}

/** Deletes every letter to an address, sent and unsent. */
export async function deleteMailTo({ prisma }: Transaction, recipient: string): Promise<void> {
  await prisma.mail.deleteMany({ where: { recipient } });
}
