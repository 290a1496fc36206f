import type { DueItem, Outcome, ScheduleWork } from '@tenantry/outbox';
import type { Rows, Tenant, Transaction } from '../database.ts';
import type { FetchLogo } from './fetch-logo.ts';
import type { Logo } from './logo.ts';
import type { LogosRepository } from './logos.repository.ts';

/**
 * The pictures on quotes. An event names the present one by its digest; the picture is fetched once, after the commit,
 * and no other picture has the same digest, so that a copy can be late but not wrong.
 */
export interface Logos {
  /** Has the logo that an organization shows from now on fetched, and what nothing shows any more removed. */
  expect(tx: Transaction, digest: string | undefined): Promise<void>;
  /** Keeps the picture that a quote is sent with; undefined where it is gone at this moment. */
  keepSent(tx: Transaction, digest: string | undefined): Promise<string | undefined>;
  /** The picture of a digest. */
  find(rows: Rows, digest: string | undefined): Promise<Logo | undefined>;
  /** The work of fetching, by the name under which it is due. */
  readonly fetching: { readonly logo: FetchingWork };
}

/** Fetches the picture whose digest a piece of work is named by. */
export interface FetchingWork {
  work(item: DueItem, context: { readonly tenant: Tenant; readonly signal: AbortSignal }): Promise<Outcome>;
}

/** What pictures need. */
export interface LogosOptions {
  readonly repository: LogosRepository;
  readonly fetchLogo: FetchLogo;
  readonly schedule: ScheduleWork;
}

export function createLogos({ repository, fetchLogo, schedule }: LogosOptions): Logos {
  return {
    async expect(tx, digest) {
      await repository.removeUnsent(tx, digest);
      if (digest === undefined || (await repository.has(tx, digest))) return;
      await schedule(tx, { kind: 'logo', id: workIdOf(digest) });
    },

    keepSent: async (tx, digest) =>
      digest !== undefined && (await repository.markSent(tx, digest)) ? digest : undefined,

    find: async (rows, digest) => (digest === undefined ? undefined : repository.find(rows, digest)),

    fetching: {
      logo: {
        async work({ organizationId, id }, { tenant, signal }) {
          const logo = await fetchLogo(organizationId, signal);
          // Another one by now: its event has another piece of work done.
          if (!logo || workIdOf(logo.digest) !== id) return 'done';
          await tenant.transaction(async (tx) => {
            if (await repository.isCurrent(tx, logo.digest)) await repository.insert(tx, logo);
          });
          return 'done';
        },
      },
    },
  };
}

/** Work on a logo has an id made of its digest: for another logo it is other work. */
const workIdOf = (digest: string): string =>
  digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
