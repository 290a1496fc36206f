import type { api } from '@tenantry/client';
import { useMutation } from '../../design/use-mutation.ts';
import { useTenantry, type SignInAnswer } from '../sessions.queries.ts';

/** A letter that was asked for: its code is good together with the id of the request. */
export interface MailedRequest {
  readonly id: string;
  readonly expiresAt: string;
  /** Where it went, if this page knows. */
  readonly email?: string;
}

/** Asks for a letter with a code and a link. */
export function useRequestMailed() {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (email: string): Promise<MailedRequest> => {
      const { data } = await tenantry.requestMailedSignIn({ body: { email } });
      return { ...data.request, email };
    },
  });
}

/** Signs in with what a letter brought: the token of its link, or its code. */
export function useVerifyMailed() {
  const tenantry = useTenantry();
  return useMutation({
    mutationFn: async (body: api.VerifyMailedSignInBody): Promise<SignInAnswer> =>
      (await tenantry.verifyMailedSignIn({ body })).data,
  });
}
