import { SamlProvider } from '@tenantry/test-kit';
import { afterAll, describe, expect, test } from 'vitest';
import { Browser } from './support/browser.ts';
import { claimsOf } from './support/client.ts';
import { connectionsOf } from './support/connections.ts';
import { samlCompany, samlSignIn, samlVisitor } from './support/saml.ts';
import { startService } from './support/service.ts';

const idp = await SamlProvider.listen(afterAll);
const service = await startService({
  settings: {
    AUTH_URL: 'https://api.example.com/api/auth',
    FRONTEND_URL: 'https://app.example.com',
    SSO_LOOPBACK_ORIGINS: idp.address,
  },
});
const { app } = service;
const company = await samlCompany(service, { metadataUrl: idp.metadataUrl });

describe('signing in by SAML', () => {
  test('makes a member of whoever the IdP names', async () => {
    const visitor = samlVisitor(company.domain);
    const signedIn = await samlSignIn(service, { company, idp, visitor, browser: new Browser(app) });
    expect([signedIn.status, signedIn.body.user]).toMatchObject([
      200,
      { email: visitor.email, name: 'Ada Lovelace' },
    ]);
    expect(claimsOf(signedIn.body.session.token)).toMatchObject({
      organizationId: company.id,
      role: 'member',
      amr: ['sso'],
      acr: 'aal1',
    });
    const again = await samlSignIn(service, { company, idp, visitor, browser: new Browser(app) });
    expect(again.body.user.id).toBe(signedIn.body.user.id);
    const { people, usedAt } = (await connectionsOf(service, company).get(company.connection.id)).body
      .connection;
    expect([people, usedAt]).toEqual([1, expect.any(String)]);
  });
});
