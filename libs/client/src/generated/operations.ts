// Written by npm run client, of the OpenAPI document of all services.
import type { IfMatch, Keyed, ListMethod, Method, OptionalBody, SentFile } from '../methods.ts';
import type * as api from './types.ts';

/** How to send each operation: its path and method, the permission it needs, what else it takes and gives. */
export const operations = {
  getWellKnownJwks: 'auth/.well-known/jwks.json GET',
  listOwnAuditEvents: 'auth/audit GET rows=events',
  getCsrfToken: 'auth/csrf GET',
  changeEmail: 'auth/email/change POST',
  resendVerificationEmail: 'auth/email/resend POST',
  verifyEmail: 'auth/email/verify POST',
  getAuthHealth: 'auth/health GET',
  linkIdentity: 'auth/identities POST',
  unlinkIdentity: 'auth/identities/{id} DELETE',
  beginIdentityLink: 'auth/identities/link POST',
  getInvitation: 'auth/invitations/{token} GET',
  acceptInvitation: 'auth/invitations/accept POST',
  rejectInvitation: 'auth/invitations/reject POST',
  getJwks: 'auth/jwks GET',
  deleteOrganization: 'auth/organization/{organizationId} DELETE organization:delete',
  getOrganization: 'auth/organization/{organizationId} GET organization:read',
  updateOrganization: 'auth/organization/{organizationId} PATCH organization:update',
  listOrganizationAuditEvents: 'auth/organization/{organizationId}/audit GET audit:read rows=events',
  createConnection: 'auth/organization/{organizationId}/connections POST connections:write',
  listConnections: 'auth/organization/{organizationId}/connections GET connections:write',
  deleteConnection: 'auth/organization/{organizationId}/connections/{connectionId} DELETE connections:write',
  getConnection: 'auth/organization/{organizationId}/connections/{connectionId} GET connections:write',
  updateConnection: 'auth/organization/{organizationId}/connections/{connectionId} PATCH connections:write',
  listArrivals: 'auth/organization/{organizationId}/connections/{connectionId}/arrivals GET connections:write',
  listDirectoryGroups: 'auth/organization/{organizationId}/connections/{connectionId}/groups GET connections:write',
  updateDirectoryGroup: 'auth/organization/{organizationId}/connections/{connectionId}/groups/{groupId} PATCH connections:write',
  linkConnection: 'auth/organization/{organizationId}/connections/{connectionId}/identity POST connections:write',
  unlinkConnection: 'auth/organization/{organizationId}/connections/{connectionId}/identity DELETE connections:write',
  beginConnectionLink: 'auth/organization/{organizationId}/connections/{connectionId}/link POST connections:write',
  createScimToken: 'auth/organization/{organizationId}/connections/{connectionId}/scim-tokens POST connections:write',
  listScimTokens: 'auth/organization/{organizationId}/connections/{connectionId}/scim-tokens GET connections:write',
  deleteScimToken: 'auth/organization/{organizationId}/connections/{connectionId}/scim-tokens/{tokenId} DELETE connections:write',
  testConnection: 'auth/organization/{organizationId}/connections/{connectionId}/test POST connections:write',
  addDomain: 'auth/organization/{organizationId}/domains POST domains:write',
  listDomains: 'auth/organization/{organizationId}/domains GET domains:read',
  deleteDomain: 'auth/organization/{organizationId}/domains/{domainId} DELETE domains:write',
  updateDomain: 'auth/organization/{organizationId}/domains/{domainId} PATCH domains:write',
  verifyDomain: 'auth/organization/{organizationId}/domains/{domainId}/verify POST domains:write',
  exportAuthOfOrganization: 'auth/organization/{organizationId}/export GET organization:export file',
  inviteMember: 'auth/organization/{organizationId}/invitations POST invitations:write',
  listInvitations: 'auth/organization/{organizationId}/invitations GET invitations:read rows=invitations',
  withdrawInvitation: 'auth/organization/{organizationId}/invitations/{invitationId} DELETE invitations:write',
  leaveOrganization: 'auth/organization/{organizationId}/leave POST',
  deleteOrganizationLogo: 'auth/organization/{organizationId}/logo DELETE organization:update',
  getOrganizationLogo: 'auth/organization/{organizationId}/logo GET organization:read file',
  putOrganizationLogo: 'auth/organization/{organizationId}/logo PUT organization:update sends=image/png',
  listMembers: 'auth/organization/{organizationId}/members GET members:read rows=members',
  changeMemberRole: 'auth/organization/{organizationId}/members/{userId} PATCH members:write',
  removeMember: 'auth/organization/{organizationId}/members/{userId} DELETE members:write',
  disableMember: 'auth/organization/{organizationId}/members/{userId}/disable POST users:disable',
  enableMember: 'auth/organization/{organizationId}/members/{userId}/enable POST users:disable',
  resetMemberTwoFactor: 'auth/organization/{organizationId}/members/{userId}/reset-two-factor POST users:disable',
  createServiceAccount: 'auth/organization/{organizationId}/service-accounts POST service-accounts:write',
  listServiceAccounts: 'auth/organization/{organizationId}/service-accounts GET service-accounts:read',
  deleteServiceAccount: 'auth/organization/{organizationId}/service-accounts/{accountId} DELETE service-accounts:write',
  updateServiceAccount: 'auth/organization/{organizationId}/service-accounts/{accountId} PATCH service-accounts:write',
  createApiKey: 'auth/organization/{organizationId}/service-accounts/{accountId}/keys POST service-accounts:write',
  deleteApiKey: 'auth/organization/{organizationId}/service-accounts/{accountId}/keys/{keyId} DELETE service-accounts:write',
  getSsoRequirement: 'auth/organization/{organizationId}/sso-requirement GET connections:write',
  setSsoRequirement: 'auth/organization/{organizationId}/sso-requirement PUT connections:write',
  getOrganizationUsage: 'auth/organization/{organizationId}/usage GET members:read',
  createOrganization: 'auth/organization/create POST',
  joinOrganization: 'auth/organization/join POST',
  listJoinableOrganizations: 'auth/organization/joinable GET',
  listOrganizations: 'auth/organization/list GET',
  listPermissions: 'auth/organization/permissions GET',
  switchOrganization: 'auth/organization/switch POST',
  addPasskey: 'auth/passkeys POST',
  removePasskey: 'auth/passkeys/{id} DELETE',
  getPasskeyOptions: 'auth/passkeys/options POST',
  removePassword: 'auth/password DELETE',
  changePassword: 'auth/password/change POST',
  requestPasswordReset: 'auth/password/forgot POST',
  resetPassword: 'auth/password/reset POST',
  refreshSession: 'auth/refresh POST',
  createServiceToken: 'auth/service-token POST',
  getSession: 'auth/session GET',
  rebindSession: 'auth/session/rebind POST',
  endSessions: 'auth/sessions DELETE',
  listSessions: 'auth/sessions GET',
  endSession: 'auth/sessions/{id} DELETE',
  signInWithEmail: 'auth/sign-in/email POST',
  requestMailedSignIn: 'auth/sign-in/mailed POST',
  verifyMailedSignIn: 'auth/sign-in/mailed/verify POST',
  signInWithPasskey: 'auth/sign-in/passkey POST',
  getPasskeySignInOptions: 'auth/sign-in/passkey/options POST',
  beginSocialSignIn: 'auth/sign-in/social POST',
  beginSso: 'auth/sign-in/sso POST',
  redeemSsoTicket: 'auth/sign-in/sso/ticket POST',
  redeemTicket: 'auth/sign-in/ticket POST',
  signOut: 'auth/sign-out POST',
  signUpWithEmail: 'auth/sign-up/email POST',
  getStart: 'auth/start GET',
  getTwoFactor: 'auth/two-factor GET',
  renewBackupCodes: 'auth/two-factor/backup-codes POST',
  disableTwoFactor: 'auth/two-factor/disable POST',
  enableTwoFactor: 'auth/two-factor/enable POST',
  getPasskeyVerificationOptions: 'auth/two-factor/passkey/options POST',
  verifyBackupCode: 'auth/two-factor/verify-backup-code POST',
  verifyPasskey: 'auth/two-factor/verify-passkey POST',
  verifyTotp: 'auth/two-factor/verify-totp POST',
  deleteAccount: 'auth/user DELETE',
  getProfile: 'auth/user GET',
  updateProfile: 'auth/user PATCH',
  getWaysIn: 'auth/ways-in GET',
  getHealth: 'health GET',
  getLiveness: 'health/live GET',
  getReadiness: 'health/ready GET',
  createLead: 'leads POST leads:write key',
  listLeads: 'leads GET leads:read rows=data',
  deleteLead: 'leads/{id} DELETE leads:write',
  getLead: 'leads/{id} GET leads:read',
  patchLead: 'leads/{id} PATCH leads:write',
  updateLead: 'leads/{id} PUT leads:write',
  eraseLead: 'leads/{id}/erase POST leads:erase',
  listLeadHistory: 'leads/{id}/history GET leads:read rows=data',
  restoreLead: 'leads/{id}/restore POST leads:write key',
  listLeadAuditEvents: 'leads/audit GET audit:read rows=data',
  exportLeads: 'leads/export GET leads:read file',
  exportLeadsOfOrganization: 'leads/export/organization GET organization:export file',
  importLeads: 'leads/import POST leads:write key sends=text/csv',
  readLeadFile: 'leads/import/read POST leads:write sends=text/csv',
  listLeadImports: 'leads/imports GET leads:read rows=data',
  getLeadImport: 'leads/imports/{id} GET leads:read',
  exportLeftOutLeads: 'leads/imports/{id}/left-out GET leads:read file',
  undoLeadImport: 'leads/imports/{id}/undo POST leads:write',
  getLeadSettings: 'leads/settings GET leads:read',
  updateLeadSettings: 'leads/settings PATCH organization:update',
  getLeadStatistics: 'leads/statistics GET leads:read',
  suggestLeads: 'leads/suggestions GET leads:read',
  getLeadsUsage: 'leads/usage GET leads:read',
  listQuotationAuditEvents: 'quotation/audit GET audit:read rows=data',
  createCustomer: 'quotation/customers POST quotes:write key',
  listCustomers: 'quotation/customers GET quotes:read rows=data',
  getCustomer: 'quotation/customers/{customerId} GET quotes:read',
  patchCustomer: 'quotation/customers/{customerId} PATCH quotes:write',
  updateCustomer: 'quotation/customers/{customerId} PUT quotes:write',
  eraseCustomer: 'quotation/customers/{customerId}/erase POST customers:erase',
  importCustomers: 'quotation/customers/import POST quotes:write key sends=text/csv',
  readCustomerFile: 'quotation/customers/import/read POST quotes:write sends=text/csv',
  listCustomerImports: 'quotation/customers/imports GET quotes:read rows=data',
  getCustomerImport: 'quotation/customers/imports/{id} GET quotes:read',
  exportLeftOutCustomers: 'quotation/customers/imports/{id}/left-out GET quotes:read file',
  undoCustomerImport: 'quotation/customers/imports/{id}/undo POST quotes:write',
  suggestCustomers: 'quotation/customers/suggestions GET quotes:read',
  exportQuotationOfOrganization: 'quotation/export/organization GET organization:export file',
  createQuote: 'quotation/quotes POST quotes:write key',
  listQuotes: 'quotation/quotes GET quotes:read rows=data',
  deleteQuote: 'quotation/quotes/{id} DELETE quotes:write',
  getQuote: 'quotation/quotes/{id} GET quotes:read',
  patchQuote: 'quotation/quotes/{id} PATCH quotes:write',
  updateQuote: 'quotation/quotes/{id} PUT quotes:write',
  acceptQuote: 'quotation/quotes/{id}/accept POST quotes:write key',
  createContract: 'quotation/quotes/{id}/contract POST quotes:write',
  getContract: 'quotation/quotes/{id}/contract GET quotes:read',
  getContractPdf: 'quotation/quotes/{id}/contract/pdf GET quotes:read file',
  listDeliveries: 'quotation/quotes/{id}/deliveries GET quotes:read rows=data',
  duplicateQuote: 'quotation/quotes/{id}/duplicate POST quotes:write key',
  createQuoteLink: 'quotation/quotes/{id}/link POST quotes:write',
  getQuotePdf: 'quotation/quotes/{id}/pdf GET quotes:read file',
  rejectQuote: 'quotation/quotes/{id}/reject POST quotes:write key',
  resendQuote: 'quotation/quotes/{id}/resend POST quotes:write key',
  reviseQuote: 'quotation/quotes/{id}/revise POST quotes:write key',
  listQuoteRevisions: 'quotation/quotes/{id}/revisions GET quotes:read rows=data',
  sendQuote: 'quotation/quotes/{id}/send POST quotes:write key',
  orderWorkPackages: 'quotation/quotes/{quoteId}/work-package-order PUT quotes:write',
  addWorkPackage: 'quotation/quotes/{quoteId}/work-packages POST quotes:write key',
  deleteWorkPackage: 'quotation/quotes/{quoteId}/work-packages/{workPackageId} DELETE quotes:write',
  patchWorkPackage: 'quotation/quotes/{quoteId}/work-packages/{workPackageId} PATCH quotes:write',
  updateWorkPackage: 'quotation/quotes/{quoteId}/work-packages/{workPackageId} PUT quotes:write',
  orderLineItems: 'quotation/quotes/{quoteId}/work-packages/{workPackageId}/item-order PUT quotes:write',
  addLineItem: 'quotation/quotes/{quoteId}/work-packages/{workPackageId}/items POST quotes:write key',
  deleteLineItem: 'quotation/quotes/{quoteId}/work-packages/{workPackageId}/items/{itemId} DELETE quotes:write',
  patchLineItem: 'quotation/quotes/{quoteId}/work-packages/{workPackageId}/items/{itemId} PATCH quotes:write',
  updateLineItem: 'quotation/quotes/{quoteId}/work-packages/{workPackageId}/items/{itemId} PUT quotes:write',
  getQuoteStatistics: 'quotation/statistics GET quotes:read',
  getQuotationUsage: 'quotation/usage GET quotes:read',
  createUser: 'users POST users:write key',
  listUsers: 'users GET users:read rows=data',
  deleteUser: 'users/{id} DELETE users:delete',
  getUser: 'users/{id} GET users:read',
  patchUser: 'users/{id} PATCH users:read',
  updateUser: 'users/{id} PUT users:read',
  exportUsersOfOrganization: 'users/export/organization GET organization:export file',
  suggestUsers: 'users/suggestions GET users:read',
  getUsersUsage: 'users/usage GET users:read',
} as const;

/** The name of an operation. */
export type OperationId = keyof typeof operations;

/** One method for each operation of the API. */
export interface Operations {
  /** Accept a mailed invitation. `POST /api/auth/invitations/accept` */
  readonly acceptInvitation: Method<Pick<api.AcceptInvitationData, 'body'>, api.AcceptInvitationResponses[200]>;
  /** Accept a sent quote for its customer. `POST /api/quotation/quotes/{id}/accept`, needs `quotes:write` */
  readonly acceptQuote: Method<Pick<api.AcceptQuoteData, 'path'> & IfMatch & Keyed, api.AcceptQuoteResponses[200]['data'], api.AcceptQuoteResponses[200]['meta']>;
  /** Add a domain to an organization. `POST /api/auth/organization/{organizationId}/domains`, needs `domains:write` */
  readonly addDomain: Method<Pick<api.AddDomainData, 'path' | 'body'>, api.AddDomainResponses[201]>;
  /** Add an item to a work package of a draft. `POST /api/quotation/quotes/{quoteId}/work-packages/{workPackageId}/items`, needs `quotes:write` */
  readonly addLineItem: Method<Pick<api.AddLineItemData, 'path' | 'body'> & IfMatch & Keyed, api.AddLineItemResponses[201]['data'], api.AddLineItemResponses[201]['meta']>;
  /** Add a passkey. `POST /api/auth/passkeys` */
  readonly addPasskey: Method<Pick<api.AddPasskeyData, 'body'>, api.AddPasskeyResponses[201]>;
  /** Add a work package to a draft. `POST /api/quotation/quotes/{quoteId}/work-packages`, needs `quotes:write` */
  readonly addWorkPackage: Method<Pick<api.AddWorkPackageData, 'path' | 'body'> & IfMatch & Keyed, api.AddWorkPackageResponses[201]['data'], api.AddWorkPackageResponses[201]['meta']>;
  /** Begin to link your own account at an identity provider. `POST /api/auth/organization/{organizationId}/connections/{connectionId}/link`, needs `connections:write` */
  readonly beginConnectionLink: Method<Pick<api.BeginConnectionLinkData, 'path' | 'body'>, api.BeginConnectionLinkResponses[200]>;
  /** Begin to link an account at a provider. `POST /api/auth/identities/link` */
  readonly beginIdentityLink: Method<Pick<api.BeginIdentityLinkData, 'body'>, api.BeginIdentityLinkResponses[200]>;
  /** Begin to sign in with a provider. `POST /api/auth/sign-in/social` */
  readonly beginSocialSignIn: Method<Pick<api.BeginSocialSignInData, 'body'>, api.BeginSocialSignInResponses[200]>;
  /** Begin to sign in with the identity provider of an organization. `POST /api/auth/sign-in/sso` */
  readonly beginSso: Method<Pick<api.BeginSsoData, 'body'>, api.BeginSsoResponses[200]>;
  /** Change your e-mail address. `POST /api/auth/email/change` */
  readonly changeEmail: Method<Pick<api.ChangeEmailData, 'body'>, api.ChangeEmailResponses[200]>;
  /** Change the role of a member. `PATCH /api/auth/organization/{organizationId}/members/{userId}`, needs `members:write` */
  readonly changeMemberRole: Method<Pick<api.ChangeMemberRoleData, 'path' | 'body'>, api.ChangeMemberRoleResponses[200]>;
  /** Change your password and end other sessions. `POST /api/auth/password/change` */
  readonly changePassword: Method<Pick<api.ChangePasswordData, 'body'>, api.ChangePasswordResponses[200]>;
  /** Create a key of a service account. `POST /api/auth/organization/{organizationId}/service-accounts/{accountId}/keys`, needs `service-accounts:write` */
  readonly createApiKey: Method<Pick<api.CreateApiKeyData, 'path' | 'body'>, api.CreateApiKeyResponses[201]>;
  /** Begin a connection to an identity provider. `POST /api/auth/organization/{organizationId}/connections`, needs `connections:write` */
  readonly createConnection: Method<Pick<api.CreateConnectionData, 'path' | 'body'>, api.CreateConnectionResponses[201]>;
  /** Create the contract of an accepted quote. `POST /api/quotation/quotes/{id}/contract`, needs `quotes:write` */
  readonly createContract: Method<Pick<api.CreateContractData, 'path'> & IfMatch, api.CreateContractResponses[200]['data'], api.CreateContractResponses[200]['meta']>;
  /** Create a customer. `POST /api/quotation/customers`, needs `quotes:write` */
  readonly createCustomer: Method<Pick<api.CreateCustomerData, 'body'> & Keyed, api.CreateCustomerResponses[201]['data'], api.CreateCustomerResponses[201]['meta']>;
  /** Create a lead. `POST /api/leads`, needs `leads:write` */
  readonly createLead: Method<Pick<api.CreateLeadData, 'body'> & Keyed, api.CreateLeadResponses[201]['data'], api.CreateLeadResponses[201]['meta']>;
  /** Create an organization. `POST /api/auth/organization/create` */
  readonly createOrganization: Method<Pick<api.CreateOrganizationData, 'body'>, api.CreateOrganizationResponses[201]>;
  /** Create a quote. `POST /api/quotation/quotes`, needs `quotes:write` */
  readonly createQuote: Method<Pick<api.CreateQuoteData, 'body'> & Keyed, api.CreateQuoteResponses[201]['data'], api.CreateQuoteResponses[201]['meta']>;
  /** Make a link to the customer's page of a quote. `POST /api/quotation/quotes/{id}/link`, needs `quotes:write` */
  readonly createQuoteLink: Method<Pick<api.CreateQuoteLinkData, 'path'>, api.CreateQuoteLinkResponses[201]['data'], api.CreateQuoteLinkResponses[201]['meta']>;
  /** Create a token for the directory behind a connection. `POST /api/auth/organization/{organizationId}/connections/{connectionId}/scim-tokens`, needs `connections:write` */
  readonly createScimToken: Method<Pick<api.CreateScimTokenData, 'path'> & OptionalBody<api.CreateScimTokenData>, api.CreateScimTokenResponses[201]>;
  /** Create a service account. `POST /api/auth/organization/{organizationId}/service-accounts`, needs `service-accounts:write` */
  readonly createServiceAccount: Method<Pick<api.CreateServiceAccountData, 'path' | 'body'>, api.CreateServiceAccountResponses[201]>;
  /** Exchange a key for an access token. `POST /api/auth/service-token` */
  readonly createServiceToken: Method<Pick<api.CreateServiceTokenData, 'body'>, api.CreateServiceTokenResponses[200]>;
  /** Create a user. `POST /api/users`, needs `users:write` */
  readonly createUser: Method<Pick<api.CreateUserData, 'body'> & Keyed, api.CreateUserResponses[201]['data'], api.CreateUserResponses[201]['meta']>;
  /** Permanently delete your account. `DELETE /api/auth/user` */
  readonly deleteAccount: Method<OptionalBody<api.DeleteAccountData>, undefined>;
  /** Delete a key. `DELETE /api/auth/organization/{organizationId}/service-accounts/{accountId}/keys/{keyId}`, needs `service-accounts:write` */
  readonly deleteApiKey: Method<Pick<api.DeleteApiKeyData, 'path'>, undefined>;
  /** Delete a connection. `DELETE /api/auth/organization/{organizationId}/connections/{connectionId}`, needs `connections:write` */
  readonly deleteConnection: Method<Pick<api.DeleteConnectionData, 'path'>, undefined>;
  /** Delete a domain of an organization. `DELETE /api/auth/organization/{organizationId}/domains/{domainId}`, needs `domains:write` */
  readonly deleteDomain: Method<Pick<api.DeleteDomainData, 'path'>, undefined>;
  /** Delete a lead. `DELETE /api/leads/{id}`, needs `leads:write` */
  readonly deleteLead: Method<Pick<api.DeleteLeadData, 'path'> & IfMatch, undefined>;
  /** Delete an item of a draft. `DELETE /api/quotation/quotes/{quoteId}/work-packages/{workPackageId}/items/{itemId}`, needs `quotes:write` */
  readonly deleteLineItem: Method<Pick<api.DeleteLineItemData, 'path'> & IfMatch, undefined>;
  /** Delete an organization. `DELETE /api/auth/organization/{organizationId}`, needs `organization:delete` */
  readonly deleteOrganization: Method<Pick<api.DeleteOrganizationData, 'path'> & OptionalBody<api.DeleteOrganizationData>, api.DeleteOrganizationResponses[200]>;
  /** Remove the logo of an organization. `DELETE /api/auth/organization/{organizationId}/logo`, needs `organization:update` */
  readonly deleteOrganizationLogo: Method<Pick<api.DeleteOrganizationLogoData, 'path'>, undefined>;
  /** Delete a draft. `DELETE /api/quotation/quotes/{id}`, needs `quotes:write` */
  readonly deleteQuote: Method<Pick<api.DeleteQuoteData, 'path'> & IfMatch, undefined>;
  /** Delete a token of a directory. `DELETE /api/auth/organization/{organizationId}/connections/{connectionId}/scim-tokens/{tokenId}`, needs `connections:write` */
  readonly deleteScimToken: Method<Pick<api.DeleteScimTokenData, 'path'>, undefined>;
  /** Delete a service account and its keys. `DELETE /api/auth/organization/{organizationId}/service-accounts/{accountId}`, needs `service-accounts:write` */
  readonly deleteServiceAccount: Method<Pick<api.DeleteServiceAccountData, 'path'>, undefined>;
  /** Delete a user. `DELETE /api/users/{id}`, needs `users:delete` */
  readonly deleteUser: Method<Pick<api.DeleteUserData, 'path'> & IfMatch, undefined>;
  /** Delete a work package of a draft with its items. `DELETE /api/quotation/quotes/{quoteId}/work-packages/{workPackageId}`, needs `quotes:write` */
  readonly deleteWorkPackage: Method<Pick<api.DeleteWorkPackageData, 'path'> & IfMatch, undefined>;
  /** Disable the account of a member. `POST /api/auth/organization/{organizationId}/members/{userId}/disable`, needs `users:disable` */
  readonly disableMember: Method<Pick<api.DisableMemberData, 'path'>, api.DisableMemberResponses[200]>;
  /** Turn off two-factor authentication. `POST /api/auth/two-factor/disable` */
  readonly disableTwoFactor: Method<Pick<api.DisableTwoFactorData, 'body'>, api.DisableTwoFactorResponses[200]>;
  /** Copy a quote into a draft with a new number. `POST /api/quotation/quotes/{id}/duplicate`, needs `quotes:write` */
  readonly duplicateQuote: Method<Pick<api.DuplicateQuoteData, 'path'> & IfMatch & Keyed, api.DuplicateQuoteResponses[201]['data'], api.DuplicateQuoteResponses[201]['meta']>;
  /** Enable the account of a member again. `POST /api/auth/organization/{organizationId}/members/{userId}/enable`, needs `users:disable` */
  readonly enableMember: Method<Pick<api.EnableMemberData, 'path'>, api.EnableMemberResponses[200]>;
  /** Set up two-factor authentication. `POST /api/auth/two-factor/enable` */
  readonly enableTwoFactor: Method<OptionalBody<api.EnableTwoFactorData>, api.EnableTwoFactorResponses[200]>;
  /** End one session. `DELETE /api/auth/sessions/{id}` */
  readonly endSession: Method<Pick<api.EndSessionData, 'path'>, undefined>;
  /** End several sessions at once. `DELETE /api/auth/sessions` */
  readonly endSessions: Method<Pick<api.EndSessionsData, 'query'> & OptionalBody<api.EndSessionsData>, api.EndSessionsResponses[200]>;
  /** Permanently erase a customer. `POST /api/quotation/customers/{customerId}/erase`, needs `customers:erase` */
  readonly eraseCustomer: Method<Pick<api.EraseCustomerData, 'path'> & IfMatch, undefined>;
  /** Permanently erase a lead. `POST /api/leads/{id}/erase`, needs `leads:erase` */
  readonly eraseLead: Method<Pick<api.EraseLeadData, 'path'> & IfMatch, undefined>;
  /** Export everything that this service has of the organization. `GET /api/auth/organization/{organizationId}/export`, needs `organization:export` */
  readonly exportAuthOfOrganization: Method<Pick<api.ExportAuthOfOrganizationData, 'path' | 'query'>, Blob>;
  /** Export leads as CSV. `GET /api/leads/export`, needs `leads:read` */
  readonly exportLeads: Method<Pick<api.ExportLeadsData, 'query'>, Blob>;
  /** Export everything that this service has of the organization. `GET /api/leads/export/organization`, needs `organization:export` */
  readonly exportLeadsOfOrganization: Method<Pick<api.ExportLeadsOfOrganizationData, 'query'>, Blob>;
  /** Export the rows that an import left out as CSV. `GET /api/quotation/customers/imports/{id}/left-out`, needs `quotes:read` */
  readonly exportLeftOutCustomers: Method<Pick<api.ExportLeftOutCustomersData, 'path'>, Blob>;
  /** Export the rows that an import left out as CSV. `GET /api/leads/imports/{id}/left-out`, needs `leads:read` */
  readonly exportLeftOutLeads: Method<Pick<api.ExportLeftOutLeadsData, 'path'>, Blob>;
  /** Export everything that this service has of the organization. `GET /api/quotation/export/organization`, needs `organization:export` */
  readonly exportQuotationOfOrganization: Method<Pick<api.ExportQuotationOfOrganizationData, 'query'>, Blob>;
  /** Export everything that this service has of the organization. `GET /api/users/export/organization`, needs `organization:export` */
  readonly exportUsersOfOrganization: Method<Pick<api.ExportUsersOfOrganizationData, 'query'>, Blob>;
  /** Check the service and its database. `GET /api/auth/health` */
  readonly getAuthHealth: Method<object, api.GetAuthHealthResponses[200]>;
  /** Get a connection. `GET /api/auth/organization/{organizationId}/connections/{connectionId}`, needs `connections:write` */
  readonly getConnection: Method<Pick<api.GetConnectionData, 'path'>, api.GetConnectionResponses[200]>;
  /** Get the contract of a quote. `GET /api/quotation/quotes/{id}/contract`, needs `quotes:read` */
  readonly getContract: Method<Pick<api.GetContractData, 'path'>, api.GetContractResponses[200]['data'], api.GetContractResponses[200]['meta']>;
  /** Get the contract of a quote as PDF. `GET /api/quotation/quotes/{id}/contract/pdf`, needs `quotes:read` */
  readonly getContractPdf: Method<Pick<api.GetContractPdfData, 'path' | 'query'>, Blob>;
  /** Get the CSRF token of the session. `GET /api/auth/csrf` */
  readonly getCsrfToken: Method<object, api.GetCsrfTokenResponses[200]>;
  /** Get a customer. `GET /api/quotation/customers/{customerId}`, needs `quotes:read` */
  readonly getCustomer: Method<Pick<api.GetCustomerData, 'path'>, api.GetCustomerResponses[200]['data'], api.GetCustomerResponses[200]['meta']>;
  /** Get an import. `GET /api/quotation/customers/imports/{id}`, needs `quotes:read` */
  readonly getCustomerImport: Method<Pick<api.GetCustomerImportData, 'path'>, api.GetCustomerImportResponses[200]['data'], api.GetCustomerImportResponses[200]['meta']>;
  /** Check the service and what it depends on. `GET /api/health` */
  readonly getHealth: Method<object, api.GetHealthResponses[200]>;
  /** See what a mailed invitation offers. `GET /api/auth/invitations/{token}` */
  readonly getInvitation: Method<Pick<api.GetInvitationData, 'path'>, api.GetInvitationResponses[200]>;
  /** Get the public keys that verify access tokens. `GET /api/auth/jwks` */
  readonly getJwks: Method<object, api.GetJwksResponses[200]>;
  /** Get a lead. `GET /api/leads/{id}`, needs `leads:read` */
  readonly getLead: Method<Pick<api.GetLeadData, 'path'>, api.GetLeadResponses[200]['data'], api.GetLeadResponses[200]['meta']>;
  /** Get an import. `GET /api/leads/imports/{id}`, needs `leads:read` */
  readonly getLeadImport: Method<Pick<api.GetLeadImportData, 'path'>, api.GetLeadImportResponses[200]['data'], api.GetLeadImportResponses[200]['meta']>;
  /** Get how leads of the organization may move. `GET /api/leads/settings`, needs `leads:read` */
  readonly getLeadSettings: Method<object, api.GetLeadSettingsResponses[200]['data'], api.GetLeadSettingsResponses[200]['meta']>;
  /** Count leads by status, and by day or week. `GET /api/leads/statistics`, needs `leads:read` */
  readonly getLeadStatistics: Method<Pick<api.GetLeadStatisticsData, 'query'>, api.GetLeadStatisticsResponses[200]['data'], api.GetLeadStatisticsResponses[200]['meta']>;
  /** Get what the organization stores in this service, and its quota. `GET /api/leads/usage`, needs `leads:read` */
  readonly getLeadsUsage: Method<object, api.GetLeadsUsageResponses[200]['data'], api.GetLeadsUsageResponses[200]['meta']>;
  /** Check that the process runs. `GET /api/health/live` */
  readonly getLiveness: Method<object, api.GetLivenessResponses[200]>;
  /** Get an organization and its settings. `GET /api/auth/organization/{organizationId}`, needs `organization:read` */
  readonly getOrganization: Method<Pick<api.GetOrganizationData, 'path'>, api.GetOrganizationResponses[200]>;
  /** Get the logo of an organization. `GET /api/auth/organization/{organizationId}/logo`, needs `organization:read` */
  readonly getOrganizationLogo: Method<Pick<api.GetOrganizationLogoData, 'path'>, Blob>;
  /** Get how many people and ways in an organization has, and its quotas. `GET /api/auth/organization/{organizationId}/usage`, needs `members:read` */
  readonly getOrganizationUsage: Method<Pick<api.GetOrganizationUsageData, 'path'>, api.GetOrganizationUsageResponses[200]>;
  /** Get the options to add a passkey. `POST /api/auth/passkeys/options` */
  readonly getPasskeyOptions: Method<OptionalBody<api.GetPasskeyOptionsData>, api.GetPasskeyOptionsResponses[200]>;
  /** Get the options to sign in with a passkey. `POST /api/auth/sign-in/passkey/options` */
  readonly getPasskeySignInOptions: Method<object, api.GetPasskeySignInOptionsResponses[200]>;
  /** Get the options to verify a passkey. `POST /api/auth/two-factor/passkey/options` */
  readonly getPasskeyVerificationOptions: Method<OptionalBody<api.GetPasskeyVerificationOptionsData>, api.GetPasskeyVerificationOptionsResponses[200]>;
  /** Get your name, address, language and time zone. `GET /api/auth/user` */
  readonly getProfile: Method<object, api.GetProfileResponses[200]>;
  /** Get what the organization stores in this service, and its quota. `GET /api/quotation/usage`, needs `quotes:read` */
  readonly getQuotationUsage: Method<object, api.GetQuotationUsageResponses[200]['data'], api.GetQuotationUsageResponses[200]['meta']>;
  /** Get a quote with its work packages and items. `GET /api/quotation/quotes/{id}`, needs `quotes:read` */
  readonly getQuote: Method<Pick<api.GetQuoteData, 'path'>, api.GetQuoteResponses[200]['data'], api.GetQuoteResponses[200]['meta']>;
  /** Get a quote as PDF. `GET /api/quotation/quotes/{id}/pdf`, needs `quotes:read` */
  readonly getQuotePdf: Method<Pick<api.GetQuotePdfData, 'path' | 'query'>, Blob>;
  /** Count quotes and their value by status, and by day or week. `GET /api/quotation/statistics`, needs `quotes:read` */
  readonly getQuoteStatistics: Method<Pick<api.GetQuoteStatisticsData, 'query'>, api.GetQuoteStatisticsResponses[200]['data'], api.GetQuoteStatisticsResponses[200]['meta']>;
  /** Check whether the service takes requests. `GET /api/health/ready` */
  readonly getReadiness: Method<object, api.GetReadinessResponses[200]>;
  /** Get the current session. `GET /api/auth/session` */
  readonly getSession: Method<object, api.GetSessionResponses[200]>;
  /** Get whether an organization requires single sign-on. `GET /api/auth/organization/{organizationId}/sso-requirement`, needs `connections:write` */
  readonly getSsoRequirement: Method<Pick<api.GetSsoRequirementData, 'path'>, api.GetSsoRequirementResponses[200]>;
  /** Get all that a front end needs when it opens. `GET /api/auth/start` */
  readonly getStart: Method<object, api.GetStartResponses[200]>;
  /** Get the state of two-factor authentication. `GET /api/auth/two-factor` */
  readonly getTwoFactor: Method<object, api.GetTwoFactorResponses[200]>;
  /** Get a user. `GET /api/users/{id}`, needs `users:read` */
  readonly getUser: Method<Pick<api.GetUserData, 'path' | 'query'>, api.GetUserResponses[200]['data'], api.GetUserResponses[200]['meta']>;
  /** Get what the organization stores in this service, and its quota. `GET /api/users/usage`, needs `users:read` */
  readonly getUsersUsage: Method<object, api.GetUsersUsageResponses[200]['data'], api.GetUsersUsageResponses[200]['meta']>;
  /** List the ways to sign in to your account. `GET /api/auth/ways-in` */
  readonly getWaysIn: Method<object, api.GetWaysInResponses[200]>;
  /** Get the public keys that verify access tokens. `GET /api/auth/.well-known/jwks.json` */
  readonly getWellKnownJwks: Method<object, api.GetWellKnownJwksResponses[200]>;
  /** Import customers from a file. `POST /api/quotation/customers/import`, needs `quotes:write` */
  readonly importCustomers: Method<Pick<api.ImportCustomersData, 'query'> & SentFile & Keyed, api.ImportCustomersResponses[200]['data'], api.ImportCustomersResponses[200]['meta']>;
  /** Import leads from a file. `POST /api/leads/import`, needs `leads:write` */
  readonly importLeads: Method<Pick<api.ImportLeadsData, 'query'> & SentFile & Keyed, api.ImportLeadsResponses[200]['data'], api.ImportLeadsResponses[200]['meta']>;
  /** Invite somebody by e-mail. `POST /api/auth/organization/{organizationId}/invitations`, needs `invitations:write` */
  readonly inviteMember: Method<Pick<api.InviteMemberData, 'path' | 'body'>, api.InviteMemberResponses[201]>;
  /** Join an organization that has proven the domain of your address. `POST /api/auth/organization/join` */
  readonly joinOrganization: Method<Pick<api.JoinOrganizationData, 'body'>, api.JoinOrganizationResponses[200]>;
  /** Leave an organization. `POST /api/auth/organization/{organizationId}/leave` */
  readonly leaveOrganization: Method<Pick<api.LeaveOrganizationData, 'path'>, undefined>;
  /** Link your own account at an identity provider. `POST /api/auth/organization/{organizationId}/connections/{connectionId}/identity`, needs `connections:write` */
  readonly linkConnection: Method<Pick<api.LinkConnectionData, 'path' | 'body'>, api.LinkConnectionResponses[201]>;
  /** Link an account at a provider. `POST /api/auth/identities` */
  readonly linkIdentity: Method<Pick<api.LinkIdentityData, 'body'>, api.LinkIdentityResponses[201]>;
  /** List what arrived from an identity provider. `GET /api/auth/organization/{organizationId}/connections/{connectionId}/arrivals`, needs `connections:write` */
  readonly listArrivals: Method<Pick<api.ListArrivalsData, 'path'>, api.ListArrivalsResponses[200]>;
  /** List the connections of an organization to identity providers. `GET /api/auth/organization/{organizationId}/connections`, needs `connections:write` */
  readonly listConnections: Method<Pick<api.ListConnectionsData, 'path'>, api.ListConnectionsResponses[200]>;
  /** List imports, newest first. `GET /api/quotation/customers/imports`, needs `quotes:read` */
  readonly listCustomerImports: ListMethod<Pick<api.ListCustomerImportsData, 'query'>, api.ListCustomerImportsResponses[200]['data'][number]>;
  /** List customers. `GET /api/quotation/customers`, needs `quotes:read` */
  readonly listCustomers: ListMethod<Pick<api.ListCustomersData, 'query'>, api.ListCustomersResponses[200]['data'][number]>;
  /** List the mails of a quote. `GET /api/quotation/quotes/{id}/deliveries`, needs `quotes:read` */
  readonly listDeliveries: ListMethod<Pick<api.ListDeliveriesData, 'path'>, api.ListDeliveriesResponses[200]['data'][number]>;
  /** List the groups of the directory behind a connection. `GET /api/auth/organization/{organizationId}/connections/{connectionId}/groups`, needs `connections:write` */
  readonly listDirectoryGroups: Method<Pick<api.ListDirectoryGroupsData, 'path'>, api.ListDirectoryGroupsResponses[200]>;
  /** List the domains of an organization, with the records that prove them. `GET /api/auth/organization/{organizationId}/domains`, needs `domains:read` */
  readonly listDomains: Method<Pick<api.ListDomainsData, 'path'>, api.ListDomainsResponses[200]>;
  /** List the open invitations of an organization, oldest first. `GET /api/auth/organization/{organizationId}/invitations`, needs `invitations:read` */
  readonly listInvitations: ListMethod<Pick<api.ListInvitationsData, 'path' | 'query'>, api.ListInvitationsResponses[200]['invitations'][number]>;
  /** List the organizations that you may join. `GET /api/auth/organization/joinable` */
  readonly listJoinableOrganizations: Method<object, api.ListJoinableOrganizationsResponses[200]>;
  /** List who did what, newest first. `GET /api/leads/audit`, needs `audit:read` */
  readonly listLeadAuditEvents: ListMethod<Pick<api.ListLeadAuditEventsData, 'query'>, api.ListLeadAuditEventsResponses[200]['data'][number]>;
  /** List the moves of a lead from status to status, newest first. `GET /api/leads/{id}/history`, needs `leads:read` */
  readonly listLeadHistory: ListMethod<Pick<api.ListLeadHistoryData, 'path' | 'query'>, api.ListLeadHistoryResponses[200]['data'][number]>;
  /** List imports, newest first. `GET /api/leads/imports`, needs `leads:read` */
  readonly listLeadImports: ListMethod<Pick<api.ListLeadImportsData, 'query'>, api.ListLeadImportsResponses[200]['data'][number]>;
  /** List leads. `GET /api/leads`, needs `leads:read` */
  readonly listLeads: ListMethod<Pick<api.ListLeadsData, 'query'>, api.ListLeadsResponses[200]['data'][number]>;
  /** List the members of an organization in joining order. `GET /api/auth/organization/{organizationId}/members`, needs `members:read` */
  readonly listMembers: ListMethod<Pick<api.ListMembersData, 'path' | 'query'>, api.ListMembersResponses[200]['members'][number]>;
  /** List the audit trail of an organization, newest first. `GET /api/auth/organization/{organizationId}/audit`, needs `audit:read` */
  readonly listOrganizationAuditEvents: ListMethod<Pick<api.ListOrganizationAuditEventsData, 'path' | 'query'>, api.ListOrganizationAuditEventsResponses[200]['events'][number]>;
  /** List your organizations. `GET /api/auth/organization/list` */
  readonly listOrganizations: Method<object, api.ListOrganizationsResponses[200]>;
  /** List what happened to your account, newest first. `GET /api/auth/audit` */
  readonly listOwnAuditEvents: ListMethod<Pick<api.ListOwnAuditEventsData, 'query'>, api.ListOwnAuditEventsResponses[200]['events'][number]>;
  /** List the permissions of each role. `GET /api/auth/organization/permissions` */
  readonly listPermissions: Method<object, api.ListPermissionsResponses[200]>;
  /** List who did what, newest first. `GET /api/quotation/audit`, needs `audit:read` */
  readonly listQuotationAuditEvents: ListMethod<Pick<api.ListQuotationAuditEventsData, 'query'>, api.ListQuotationAuditEventsResponses[200]['data'][number]>;
  /** List the revisions of a quote. `GET /api/quotation/quotes/{id}/revisions`, needs `quotes:read` */
  readonly listQuoteRevisions: ListMethod<Pick<api.ListQuoteRevisionsData, 'path' | 'query'>, api.ListQuoteRevisionsResponses[200]['data'][number]>;
  /** List quotes. `GET /api/quotation/quotes`, needs `quotes:read` */
  readonly listQuotes: ListMethod<Pick<api.ListQuotesData, 'query'>, api.ListQuotesResponses[200]['data'][number]>;
  /** List the tokens of the directory behind a connection. `GET /api/auth/organization/{organizationId}/connections/{connectionId}/scim-tokens`, needs `connections:write` */
  readonly listScimTokens: Method<Pick<api.ListScimTokensData, 'path'>, api.ListScimTokensResponses[200]>;
  /** List the service accounts of an organization, with their keys. `GET /api/auth/organization/{organizationId}/service-accounts`, needs `service-accounts:read` */
  readonly listServiceAccounts: Method<Pick<api.ListServiceAccountsData, 'path'>, api.ListServiceAccountsResponses[200]>;
  /** List your sessions. `GET /api/auth/sessions` */
  readonly listSessions: Method<object, api.ListSessionsResponses[200]>;
  /** List users. `GET /api/users`, needs `users:read` */
  readonly listUsers: ListMethod<Pick<api.ListUsersData, 'query'>, api.ListUsersResponses[200]['data'][number]>;
  /** Put the items of a work package in order. `PUT /api/quotation/quotes/{quoteId}/work-packages/{workPackageId}/item-order`, needs `quotes:write` */
  readonly orderLineItems: Method<Pick<api.OrderLineItemsData, 'path' | 'body'> & IfMatch, api.OrderLineItemsResponses[200]['data'], api.OrderLineItemsResponses[200]['meta']>;
  /** Put the work packages of a draft in order. `PUT /api/quotation/quotes/{quoteId}/work-package-order`, needs `quotes:write` */
  readonly orderWorkPackages: Method<Pick<api.OrderWorkPackagesData, 'path' | 'body'> & IfMatch, api.OrderWorkPackagesResponses[200]['data'], api.OrderWorkPackagesResponses[200]['meta']>;
  /** Change a customer. `PATCH /api/quotation/customers/{customerId}`, needs `quotes:write` */
  readonly patchCustomer: Method<Pick<api.PatchCustomerData, 'path' | 'body'> & IfMatch, api.PatchCustomerResponses[200]['data'], api.PatchCustomerResponses[200]['meta']>;
  /** Change a lead. `PATCH /api/leads/{id}`, needs `leads:write` */
  readonly patchLead: Method<Pick<api.PatchLeadData, 'path' | 'body'> & IfMatch, api.PatchLeadResponses[200]['data'], api.PatchLeadResponses[200]['meta']>;
  /** Change an item of a draft. `PATCH /api/quotation/quotes/{quoteId}/work-packages/{workPackageId}/items/{itemId}`, needs `quotes:write` */
  readonly patchLineItem: Method<Pick<api.PatchLineItemData, 'path' | 'body'> & IfMatch, api.PatchLineItemResponses[200]['data'], api.PatchLineItemResponses[200]['meta']>;
  /** Change a draft. `PATCH /api/quotation/quotes/{id}`, needs `quotes:write` */
  readonly patchQuote: Method<Pick<api.PatchQuoteData, 'path' | 'body'> & IfMatch, api.PatchQuoteResponses[200]['data'], api.PatchQuoteResponses[200]['meta']>;
  /** Change the name of a user. `PATCH /api/users/{id}`, needs `users:read` */
  readonly patchUser: Method<Pick<api.PatchUserData, 'path' | 'body'> & IfMatch, api.PatchUserResponses[200]['data'], api.PatchUserResponses[200]['meta']>;
  /** Change a work package of a draft. `PATCH /api/quotation/quotes/{quoteId}/work-packages/{workPackageId}`, needs `quotes:write` */
  readonly patchWorkPackage: Method<Pick<api.PatchWorkPackageData, 'path' | 'body'> & IfMatch, api.PatchWorkPackageResponses[200]['data'], api.PatchWorkPackageResponses[200]['meta']>;
  /** Set the logo of an organization. `PUT /api/auth/organization/{organizationId}/logo`, needs `organization:update` */
  readonly putOrganizationLogo: Method<Pick<api.PutOrganizationLogoData, 'path'> & SentFile, api.PutOrganizationLogoResponses[200]>;
  /** Find out how a file would be imported. `POST /api/quotation/customers/import/read`, needs `quotes:write` */
  readonly readCustomerFile: Method<Pick<api.ReadCustomerFileData, 'query'> & SentFile, api.ReadCustomerFileResponses[200]['data'], api.ReadCustomerFileResponses[200]['meta']>;
  /** Find out how a file would be imported. `POST /api/leads/import/read`, needs `leads:write` */
  readonly readLeadFile: Method<Pick<api.ReadLeadFileData, 'query'> & SentFile, api.ReadLeadFileResponses[200]['data'], api.ReadLeadFileResponses[200]['meta']>;
  /** Continue a session at another address. `POST /api/auth/session/rebind` */
  readonly rebindSession: Method<Pick<api.RebindSessionData, 'body'>, api.RebindSessionResponses[200]>;
  /** Sign in with the ticket of an identity provider. `POST /api/auth/sign-in/sso/ticket` */
  readonly redeemSsoTicket: Method<Pick<api.RedeemSsoTicketData, 'body'>, api.RedeemSsoTicketResponses[200]>;
  /** Sign in with the ticket of a provider. `POST /api/auth/sign-in/ticket` */
  readonly redeemTicket: Method<Pick<api.RedeemTicketData, 'body'>, api.RedeemTicketResponses[200]>;
  /** Exchange a refresh token. `POST /api/auth/refresh` */
  readonly refreshSession: Method<Pick<api.RefreshSessionData, 'body'>, api.RefreshSessionResponses[200]>;
  /** Decline a mailed invitation. `POST /api/auth/invitations/reject` */
  readonly rejectInvitation: Method<Pick<api.RejectInvitationData, 'body'>, undefined>;
  /** Reject a sent quote for its customer. `POST /api/quotation/quotes/{id}/reject`, needs `quotes:write` */
  readonly rejectQuote: Method<Pick<api.RejectQuoteData, 'path' | 'body'> & IfMatch & Keyed, api.RejectQuoteResponses[200]['data'], api.RejectQuoteResponses[200]['meta']>;
  /** Remove a member. `DELETE /api/auth/organization/{organizationId}/members/{userId}`, needs `members:write` */
  readonly removeMember: Method<Pick<api.RemoveMemberData, 'path'>, undefined>;
  /** Remove a passkey. `DELETE /api/auth/passkeys/{id}` */
  readonly removePasskey: Method<Pick<api.RemovePasskeyData, 'path'> & OptionalBody<api.RemovePasskeyData>, undefined>;
  /** Remove your password. `DELETE /api/auth/password` */
  readonly removePassword: Method<OptionalBody<api.RemovePasswordData>, undefined>;
  /** Replace the backup codes. `POST /api/auth/two-factor/backup-codes` */
  readonly renewBackupCodes: Method<OptionalBody<api.RenewBackupCodesData>, api.RenewBackupCodesResponses[200]>;
  /** Send a code and a link to sign in with. `POST /api/auth/sign-in/mailed` */
  readonly requestMailedSignIn: Method<Pick<api.RequestMailedSignInData, 'body'>, api.RequestMailedSignInResponses[200]>;
  /** Send a password-reset link. `POST /api/auth/password/forgot` */
  readonly requestPasswordReset: Method<Pick<api.RequestPasswordResetData, 'body'>, api.RequestPasswordResetResponses[200]>;
  /** Mail a quote that was sent once more. `POST /api/quotation/quotes/{id}/resend`, needs `quotes:write` */
  readonly resendQuote: Method<Pick<api.ResendQuoteData, 'path' | 'body'> & Keyed, api.ResendQuoteResponses[201]['data'], api.ResendQuoteResponses[201]['meta']>;
  /** Send the confirmation link again. `POST /api/auth/email/resend` */
  readonly resendVerificationEmail: Method<Pick<api.ResendVerificationEmailData, 'body'>, api.ResendVerificationEmailResponses[200]>;
  /** Turn off the two-factor authentication of a member who has lost it. `POST /api/auth/organization/{organizationId}/members/{userId}/reset-two-factor`, needs `users:disable` */
  readonly resetMemberTwoFactor: Method<Pick<api.ResetMemberTwoFactorData, 'path'>, api.ResetMemberTwoFactorResponses[200]>;
  /** Set a new password with a mailed token and end all sessions. `POST /api/auth/password/reset` */
  readonly resetPassword: Method<Pick<api.ResetPasswordData, 'body'>, api.ResetPasswordResponses[200]>;
  /** Restore a deleted lead. `POST /api/leads/{id}/restore`, needs `leads:write` */
  readonly restoreLead: Method<Pick<api.RestoreLeadData, 'path'> & IfMatch & Keyed, api.RestoreLeadResponses[200]['data'], api.RestoreLeadResponses[200]['meta']>;
  /** Replace a sent or rejected quote by a new draft. `POST /api/quotation/quotes/{id}/revise`, needs `quotes:write` */
  readonly reviseQuote: Method<Pick<api.ReviseQuoteData, 'path'> & IfMatch & Keyed, api.ReviseQuoteResponses[201]['data'], api.ReviseQuoteResponses[201]['meta']>;
  /** Send a draft to its customer. `POST /api/quotation/quotes/{id}/send`, needs `quotes:write` */
  readonly sendQuote: Method<Pick<api.SendQuoteData, 'path' | 'body'> & IfMatch & Keyed, api.SendQuoteResponses[200]['data'], api.SendQuoteResponses[200]['meta']>;
  /** Require single sign-on of the members of an organization, or do so no more. `PUT /api/auth/organization/{organizationId}/sso-requirement`, needs `connections:write` */
  readonly setSsoRequirement: Method<Pick<api.SetSsoRequirementData, 'path' | 'body'>, api.SetSsoRequirementResponses[200]>;
  /** Sign in with e-mail address and password. `POST /api/auth/sign-in/email` */
  readonly signInWithEmail: Method<Pick<api.SignInWithEmailData, 'body'>, api.SignInWithEmailResponses[200]>;
  /** Sign in with a passkey. `POST /api/auth/sign-in/passkey` */
  readonly signInWithPasskey: Method<Pick<api.SignInWithPasskeyData, 'body'>, api.SignInWithPasskeyResponses[200]>;
  /** End the current session. `POST /api/auth/sign-out` */
  readonly signOut: Method<OptionalBody<api.SignOutData>, api.SignOutResponses[200]>;
  /** Create an account. `POST /api/auth/sign-up/email` */
  readonly signUpWithEmail: Method<Pick<api.SignUpWithEmailData, 'body'>, api.SignUpWithEmailResponses[201]>;
  /** Suggest customers whose names begin so, in the order of their names. `GET /api/quotation/customers/suggestions`, needs `quotes:read` */
  readonly suggestCustomers: Method<Pick<api.SuggestCustomersData, 'query'>, api.SuggestCustomersResponses[200]['data'], api.SuggestCustomersResponses[200]['meta']>;
  /** Suggest leads whose names begin so, in the order of their names. `GET /api/leads/suggestions`, needs `leads:read` */
  readonly suggestLeads: Method<Pick<api.SuggestLeadsData, 'query'>, api.SuggestLeadsResponses[200]['data'], api.SuggestLeadsResponses[200]['meta']>;
  /** Suggest users whose names begin so, in the order of their names. `GET /api/users/suggestions`, needs `users:read` */
  readonly suggestUsers: Method<Pick<api.SuggestUsersData, 'query'>, api.SuggestUsersResponses[200]['data'], api.SuggestUsersResponses[200]['meta']>;
  /** Switch to another organization. `POST /api/auth/organization/switch` */
  readonly switchOrganization: Method<Pick<api.SwitchOrganizationData, 'body'>, api.SwitchOrganizationResponses[200]>;
  /** Read what an identity provider says of itself. `POST /api/auth/organization/{organizationId}/connections/{connectionId}/test`, needs `connections:write` */
  readonly testConnection: Method<Pick<api.TestConnectionData, 'path'>, api.TestConnectionResponses[200]>;
  /** Take an import back. `POST /api/quotation/customers/imports/{id}/undo`, needs `quotes:write` */
  readonly undoCustomerImport: Method<Pick<api.UndoCustomerImportData, 'path'>, api.UndoCustomerImportResponses[200]['data'], api.UndoCustomerImportResponses[200]['meta']>;
  /** Take an import back. `POST /api/leads/imports/{id}/undo`, needs `leads:write` */
  readonly undoLeadImport: Method<Pick<api.UndoLeadImportData, 'path'>, api.UndoLeadImportResponses[200]['data'], api.UndoLeadImportResponses[200]['meta']>;
  /** Unlink your own account at an identity provider. `DELETE /api/auth/organization/{organizationId}/connections/{connectionId}/identity`, needs `connections:write` */
  readonly unlinkConnection: Method<Pick<api.UnlinkConnectionData, 'path'>, undefined>;
  /** Unlink an account at a provider. `DELETE /api/auth/identities/{id}` */
  readonly unlinkIdentity: Method<Pick<api.UnlinkIdentityData, 'path'> & OptionalBody<api.UnlinkIdentityData>, undefined>;
  /** Change a connection, or turn it on or off. `PATCH /api/auth/organization/{organizationId}/connections/{connectionId}`, needs `connections:write` */
  readonly updateConnection: Method<Pick<api.UpdateConnectionData, 'path' | 'body'>, api.UpdateConnectionResponses[200]>;
  /** Change a customer. `PUT /api/quotation/customers/{customerId}`, needs `quotes:write` */
  readonly updateCustomer: Method<Pick<api.UpdateCustomerData, 'path' | 'body'> & IfMatch, api.UpdateCustomerResponses[200]['data'], api.UpdateCustomerResponses[200]['meta']>;
  /** Say what the people in a group of a directory are. `PATCH /api/auth/organization/{organizationId}/connections/{connectionId}/groups/{groupId}`, needs `connections:write` */
  readonly updateDirectoryGroup: Method<Pick<api.UpdateDirectoryGroupData, 'path' | 'body'>, api.UpdateDirectoryGroupResponses[200]>;
  /** Change who may join by a domain. `PATCH /api/auth/organization/{organizationId}/domains/{domainId}`, needs `domains:write` */
  readonly updateDomain: Method<Pick<api.UpdateDomainData, 'path' | 'body'>, api.UpdateDomainResponses[200]>;
  /** Change a lead. `PUT /api/leads/{id}`, needs `leads:write` */
  readonly updateLead: Method<Pick<api.UpdateLeadData, 'path' | 'body'> & IfMatch, api.UpdateLeadResponses[200]['data'], api.UpdateLeadResponses[200]['meta']>;
  /** Change how leads of the organization may move. `PATCH /api/leads/settings`, needs `organization:update` */
  readonly updateLeadSettings: Method<Pick<api.UpdateLeadSettingsData, 'body'> & IfMatch, api.UpdateLeadSettingsResponses[200]['data'], api.UpdateLeadSettingsResponses[200]['meta']>;
  /** Change an item of a draft. `PUT /api/quotation/quotes/{quoteId}/work-packages/{workPackageId}/items/{itemId}`, needs `quotes:write` */
  readonly updateLineItem: Method<Pick<api.UpdateLineItemData, 'path' | 'body'> & IfMatch, api.UpdateLineItemResponses[200]['data'], api.UpdateLineItemResponses[200]['meta']>;
  /** Change an organization. `PATCH /api/auth/organization/{organizationId}`, needs `organization:update` */
  readonly updateOrganization: Method<Pick<api.UpdateOrganizationData, 'path' | 'body'>, api.UpdateOrganizationResponses[200]>;
  /** Change your name, language or time zone. `PATCH /api/auth/user` */
  readonly updateProfile: Method<Pick<api.UpdateProfileData, 'body'>, api.UpdateProfileResponses[200]>;
  /** Change a draft. `PUT /api/quotation/quotes/{id}`, needs `quotes:write` */
  readonly updateQuote: Method<Pick<api.UpdateQuoteData, 'path' | 'body'> & IfMatch, api.UpdateQuoteResponses[200]['data'], api.UpdateQuoteResponses[200]['meta']>;
  /** Change the name or role of a service account. `PATCH /api/auth/organization/{organizationId}/service-accounts/{accountId}`, needs `service-accounts:write` */
  readonly updateServiceAccount: Method<Pick<api.UpdateServiceAccountData, 'path' | 'body'>, api.UpdateServiceAccountResponses[200]>;
  /** Change the name of a user. `PUT /api/users/{id}`, needs `users:read` */
  readonly updateUser: Method<Pick<api.UpdateUserData, 'path' | 'body'> & IfMatch, api.UpdateUserResponses[200]['data'], api.UpdateUserResponses[200]['meta']>;
  /** Change a work package of a draft. `PUT /api/quotation/quotes/{quoteId}/work-packages/{workPackageId}`, needs `quotes:write` */
  readonly updateWorkPackage: Method<Pick<api.UpdateWorkPackageData, 'path' | 'body'> & IfMatch, api.UpdateWorkPackageResponses[200]['data'], api.UpdateWorkPackageResponses[200]['meta']>;
  /** Verify a backup code. `POST /api/auth/two-factor/verify-backup-code` */
  readonly verifyBackupCode: Method<Pick<api.VerifyBackupCodeData, 'body'>, api.VerifyBackupCodeResponses[200]>;
  /** Look for the record of a domain. `POST /api/auth/organization/{organizationId}/domains/{domainId}/verify`, needs `domains:write` */
  readonly verifyDomain: Method<Pick<api.VerifyDomainData, 'path'>, api.VerifyDomainResponses[200]>;
  /** Confirm an address with the token mailed to it. `POST /api/auth/email/verify` */
  readonly verifyEmail: Method<Pick<api.VerifyEmailData, 'body'>, api.VerifyEmailResponses[200]>;
  /** Sign in with a mailed code or link. `POST /api/auth/sign-in/mailed/verify` */
  readonly verifyMailedSignIn: Method<Pick<api.VerifyMailedSignInData, 'body'>, api.VerifyMailedSignInResponses[200]>;
  /** Verify a passkey. `POST /api/auth/two-factor/verify-passkey` */
  readonly verifyPasskey: Method<Pick<api.VerifyPasskeyData, 'body'>, api.VerifyPasskeyResponses[200]>;
  /** Verify a code of the authenticator. `POST /api/auth/two-factor/verify-totp` */
  readonly verifyTotp: Method<Pick<api.VerifyTotpData, 'body'>, api.VerifyTotpResponses[200]>;
  /** Withdraw an invitation. `DELETE /api/auth/organization/{organizationId}/invitations/{invitationId}`, needs `invitations:write` */
  readonly withdrawInvitation: Method<Pick<api.WithdrawInvitationData, 'path'>, undefined>;
}

/** What any operation may be refused with. */
export type CommonCode = 'DEADLINE_EXCEEDED' | 'HEADERS_TOO_LARGE' | 'INTERNAL' | 'RATE_LIMITED' | 'REQUEST_TIMEOUT' | 'UPSTREAM_UNAVAILABLE' | 'VALIDATION_ERROR';

/** What else each operation may be refused with; those that are absent, with nothing else. */
export interface Codes {
  acceptInvitation: 'ALREADY_MEMBER' | 'CONFLICT' | 'CSRF_FAILED' | 'INVALID_TOKEN' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  acceptQuote: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'IDEMPOTENCY_KEY_IN_USE' | 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_KEY' | 'INVALID_TRANSITION' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'QUOTE_EXPIRED' | 'QUOTE_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  addDomain: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  addLineItem: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'IDEMPOTENCY_KEY_IN_USE' | 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  addPasskey: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'INVALID_PASSKEY' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'TOO_MANY_PASSKEYS' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  addWorkPackage: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'IDEMPOTENCY_KEY_IN_USE' | 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  beginConnectionLink: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  beginIdentityLink: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  beginSocialSignIn: 'CONFLICT' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  beginSso: 'CONFLICT' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  changeEmail: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  changeMemberRole: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'LAST_OWNER' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  changePassword: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  createApiKey: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  createConnection: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  createContract: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'QUOTE_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  createCustomer: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'IDEMPOTENCY_KEY_IN_USE' | 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  createLead: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'IDEMPOTENCY_KEY_IN_USE' | 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  createOrganization: 'CONFLICT' | 'CSRF_FAILED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SLUG_TAKEN' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  createQuote: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'IDEMPOTENCY_KEY_IN_USE' | 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  createQuoteLink: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  createScimToken: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  createServiceAccount: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  createServiceToken: 'CONFLICT' | 'INVALID_KEY' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE';
  createUser: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  deleteAccount: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'LAST_OWNER' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  deleteApiKey: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  deleteConnection: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  deleteDomain: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  deleteLead: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  deleteLineItem: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  deleteOrganization: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  deleteOrganizationLogo: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  deleteQuote: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  deleteScimToken: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  deleteServiceAccount: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  deleteUser: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  deleteWorkPackage: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  disableMember: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  disableTwoFactor: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CODE' | 'INVALID_CREDENTIALS' | 'INVALID_PASSKEY' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'TWO_FACTOR_NOT_ENABLED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  duplicateQuote: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'IDEMPOTENCY_KEY_IN_USE' | 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  enableMember: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  enableTwoFactor: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'ORIGIN_NOT_ALLOWED' | 'PASSKEY_REQUIRED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'TWO_FACTOR_ALREADY_ENABLED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  endSession: 'CONFLICT' | 'CSRF_FAILED' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  endSessions: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  eraseCustomer: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  eraseLead: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  exportAuthOfOrganization: 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  exportLeads: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  exportLeadsOfOrganization: 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  exportLeftOutCustomers: 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  exportLeftOutLeads: 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  exportQuotationOfOrganization: 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  exportUsersOfOrganization: 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  getAuthHealth: 'USER_REQUIRED';
  getConnection: 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  getContract: 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'QUOTE_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  getContractPdf: 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'QUOTE_TOO_LARGE_FOR_PDF' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  getCsrfToken: 'UNAUTHENTICATED' | 'USER_REQUIRED';
  getCustomer: 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  getCustomerImport: 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  getHealth: never;
  getInvitation: 'INVALID_TOKEN' | 'NOT_FOUND' | 'USER_REQUIRED';
  getJwks: 'USER_REQUIRED';
  getLead: 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  getLeadImport: 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  getLeadSettings: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  getLeadStatistics: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  getLeadsUsage: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  getLiveness: never;
  getOrganization: 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  getOrganizationLogo: 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  getOrganizationUsage: 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  getPasskeyOptions: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  getPasskeySignInOptions: 'CONFLICT' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  getPasskeyVerificationOptions: 'CONFLICT' | 'CSRF_FAILED' | 'INVALID_CHALLENGE' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PASSKEY_REQUIRED' | 'PAYLOAD_TOO_LARGE' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  getProfile: 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  getQuotationUsage: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  getQuote: 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'QUOTE_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  getQuotePdf: 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'QUOTE_TOO_LARGE_FOR_PDF' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  getQuoteStatistics: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  getReadiness: never;
  getSession: 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  getSsoRequirement: 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  getStart: 'USER_REQUIRED';
  getTwoFactor: 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  getUser: 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  getUsersUsage: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  getWaysIn: 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  getWellKnownJwks: 'USER_REQUIRED';
  importCustomers: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'IDEMPOTENCY_KEY_IN_USE' | 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  importLeads: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'IDEMPOTENCY_KEY_IN_USE' | 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  inviteMember: 'ACCOUNT_LOCKED' | 'ALREADY_MEMBER' | 'CONFLICT' | 'CSRF_FAILED' | 'EMAIL_NOT_VERIFIED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  joinOrganization: 'CONFLICT' | 'CSRF_FAILED' | 'EMAIL_NOT_VERIFIED' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  leaveOrganization: 'CONFLICT' | 'CSRF_FAILED' | 'LAST_OWNER' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  linkConnection: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'IDENTITY_IN_USE' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'INVALID_TICKET' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  linkIdentity: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'IDENTITY_IN_USE' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'INVALID_TICKET' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'TOO_MANY_IDENTITIES' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  listArrivals: 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  listConnections: 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  listCustomerImports: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  listCustomers: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  listDeliveries: 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  listDirectoryGroups: 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  listDomains: 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  listInvitations: 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  listJoinableOrganizations: 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  listLeadAuditEvents: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  listLeadHistory: 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  listLeadImports: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  listLeads: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  listMembers: 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  listOrganizationAuditEvents: 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  listOrganizations: 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  listOwnAuditEvents: 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  listPermissions: 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  listQuotationAuditEvents: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  listQuoteRevisions: 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  listQuotes: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  listScimTokens: 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  listServiceAccounts: 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  listSessions: 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'USER_REQUIRED';
  listUsers: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  orderLineItems: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  orderWorkPackages: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  patchCustomer: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  patchLead: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'INVALID_TRANSITION' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  patchLineItem: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  patchQuote: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  patchUser: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  patchWorkPackage: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  putOrganizationLogo: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  readCustomerFile: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  readLeadFile: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  rebindSession: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INVALID_CODE' | 'INVALID_CREDENTIALS' | 'INVALID_REFRESH_TOKEN' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'TWO_FACTOR_NOT_ENABLED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  redeemSsoTicket: 'CONFLICT' | 'EMAIL_NOT_VERIFIED' | 'IDENTITY_IN_USE' | 'INVALID_CREDENTIALS' | 'INVALID_TICKET' | 'LINK_REQUIRED' | 'MEMBER_REMOVED' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  redeemTicket: 'CONFLICT' | 'EMAIL_MISSING' | 'EMAIL_NOT_VERIFIED' | 'IDENTITY_IN_USE' | 'INVALID_CREDENTIALS' | 'INVALID_TICKET' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'TOO_MANY_IDENTITIES' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_ALREADY_EXISTS' | 'USER_REQUIRED';
  refreshSession: 'CONFLICT' | 'CSRF_FAILED' | 'INVALID_REFRESH_TOKEN' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  rejectInvitation: 'CONFLICT' | 'INVALID_TOKEN' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  rejectQuote: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'IDEMPOTENCY_KEY_IN_USE' | 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_KEY' | 'INVALID_TRANSITION' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'QUOTE_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  removeMember: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'LAST_OWNER' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  removePasskey: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'LAST_WAY_IN' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  removePassword: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'LAST_WAY_IN' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  renewBackupCodes: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'TWO_FACTOR_NOT_ENABLED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  requestMailedSignIn: 'CONFLICT' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  requestPasswordReset: 'CONFLICT' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  resendQuote: 'CONFLICT' | 'CSRF_FAILED' | 'EMAIL_NOT_VERIFIED' | 'FORBIDDEN' | 'IDEMPOTENCY_KEY_IN_USE' | 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  resendVerificationEmail: 'CONFLICT' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  resetMemberTwoFactor: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  resetPassword: 'CONFLICT' | 'INVALID_TOKEN' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  restoreLead: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'IDEMPOTENCY_KEY_IN_USE' | 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  reviseQuote: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'IDEMPOTENCY_KEY_IN_USE' | 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  sendQuote: 'CONFLICT' | 'CSRF_FAILED' | 'EMAIL_NOT_VERIFIED' | 'FORBIDDEN' | 'IDEMPOTENCY_KEY_IN_USE' | 'IDEMPOTENCY_KEY_REUSED' | 'INVALID_KEY' | 'INVALID_TRANSITION' | 'LETTERS_WITHOUT_FONT' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  setSsoRequirement: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'INVALID_REFRESH_TOKEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  signInWithEmail: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'INVALID_CREDENTIALS' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  signInWithPasskey: 'CONFLICT' | 'INVALID_PASSKEY' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  signOut: 'CONFLICT' | 'CSRF_FAILED' | 'INVALID_REFRESH_TOKEN' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  signUpWithEmail: 'CONFLICT' | 'INVALID_TOKEN' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SIGN_UP_CLOSED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_ALREADY_EXISTS' | 'USER_REQUIRED';
  suggestCustomers: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  suggestLeads: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  suggestUsers: 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED';
  switchOrganization: 'CONFLICT' | 'CSRF_FAILED' | 'INVALID_REFRESH_TOKEN' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  testConnection: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  undoCustomerImport: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  undoLeadImport: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  unlinkConnection: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  unlinkIdentity: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'LAST_WAY_IN' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  updateConnection: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'DOMAIN_NOT_VERIFIED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  updateCustomer: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  updateDirectoryGroup: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  updateDomain: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  updateLead: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'INVALID_TRANSITION' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  updateLeadSettings: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  updateLineItem: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  updateOrganization: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'INVALID_REFRESH_TOKEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  updateProfile: 'CONFLICT' | 'CSRF_FAILED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  updateQuote: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  updateServiceAccount: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CREDENTIALS' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  updateUser: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  updateWorkPackage: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'INVALID_KEY' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORGANIZATION_CHANGED' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'PRECONDITION_FAILED' | 'QUOTA_EXCEEDED' | 'SESSION_ADDRESS_CHANGED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE';
  verifyBackupCode: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CHALLENGE' | 'INVALID_CODE' | 'INVALID_REFRESH_TOKEN' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_NOT_ENABLED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  verifyDomain: 'CONFLICT' | 'CSRF_FAILED' | 'DOMAIN_NOT_VERIFIED' | 'DOMAIN_TAKEN' | 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SIGN_IN_REQUIRED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  verifyEmail: 'CONFLICT' | 'CSRF_FAILED' | 'INVALID_TOKEN' | 'ORIGIN_NOT_ALLOWED' | 'OTHER_ACCOUNT' | 'PAYLOAD_TOO_LARGE' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  verifyMailedSignIn: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'IDENTITY_IN_USE' | 'INVALID_CODE' | 'INVALID_TOKEN' | 'NOT_FOUND' | 'OPENED_ELSEWHERE' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'TOO_MANY_IDENTITIES' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  verifyPasskey: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CHALLENGE' | 'INVALID_CODE' | 'INVALID_PASSKEY' | 'INVALID_REFRESH_TOKEN' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_NOT_ENABLED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  verifyTotp: 'ACCOUNT_LOCKED' | 'CONFLICT' | 'CSRF_FAILED' | 'INSUFFICIENT_USER_AUTHENTICATION' | 'INVALID_CHALLENGE' | 'INVALID_CODE' | 'INVALID_REFRESH_TOKEN' | 'NOT_FOUND' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_NOT_ENABLED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
  withdrawInvitation: 'CONFLICT' | 'CSRF_FAILED' | 'FORBIDDEN' | 'NOT_FOUND' | 'NO_ACTIVE_ORGANIZATION' | 'ORIGIN_NOT_ALLOWED' | 'PAYLOAD_TOO_LARGE' | 'SESSION_ADDRESS_CHANGED' | 'SSO_REQUIRED' | 'TWO_FACTOR_REQUIRED' | 'UNAUTHENTICATED' | 'UNSUPPORTED_MEDIA_TYPE' | 'USER_REQUIRED';
}

/** The reasons that refine a code. */
export interface Reasons {
  CONFLICT: 'CONCURRENT_CHANGE' | 'NOT_UNIQUE' | 'QUOTE_SENT' | 'QUOTE_NOT_SENT' | 'QUOTE_NOT_ACCEPTED' | 'QUOTE_NOT_REVISABLE' | 'QUOTE_SUPERSEDED' | 'CURRENCY_FIXED' | 'MAILED_TOO_OFTEN' | 'TOO_MANY_LINKS' | 'CUSTOMER_ERASED' | 'ONLY_OWNER' | 'JOINED_MEANWHILE' | 'NOT_RESTORABLE' | 'CONNECTION_INCOMPLETE' | 'CERTIFICATES_ENDED' | 'CONNECTION_ENABLED' | 'SECOND_FACTOR_UNDECLARED' | 'CONNECTION_OFF' | 'CONNECTION_UNTRIED' | 'SSO_STILL_REQUIRED' | 'TOO_MANY_ROLES';
  DOMAIN_NOT_VERIFIED: 'RECORD_MISSING' | 'RECORD_DIFFERENT' | 'RECORD_UNREADABLE' | 'NO_DOMAIN';
  FORBIDDEN: 'ORGANIZATION_NOT_ACTIVE' | 'ACCOUNT_OF_ANOTHER' | 'ACCOUNT_SHARED' | 'ACCOUNT_DISABLED_ELSEWHERE' | 'OWN_ACCOUNT' | 'ROLE_TOO_HIGH';
  INSUFFICIENT_USER_AUTHENTICATION: 'SECOND_FACTOR_REQUIRED' | 'SIGN_IN_REQUIRED' | 'PASSWORD_REQUIRED';
  INVALID_PASSKEY: 'USER_NOT_VERIFIED';
  INVALID_TOKEN: 'INVITATION_ACCEPTED' | 'INVITATION_REJECTED' | 'INVITATION_WITHDRAWN' | 'INVITATION_REPLACED' | 'INVITATION_EXPIRED' | 'INVITATION_OF_ANOTHER';
  LAST_WAY_IN: 'CARRIES_TWO_FACTOR';
  QUOTA_EXCEEDED: 'OWNER_UNCONFIRMED' | 'ORGANIZATIONS' | 'ORGANIZATIONS_UNCONFIRMED' | 'PEOPLE' | 'PEOPLE_UNCONFIRMED' | 'SERVICE_ACCOUNTS' | 'API_KEYS' | 'DOMAINS' | 'CONNECTIONS' | 'DIRECTORY_TOKENS';
  UNAUTHENTICATED: 'TOKEN_MISSING' | 'TOKEN_MALFORMED' | 'TOKEN_TOO_LARGE' | 'TOKEN_ALGORITHM_REFUSED' | 'TOKEN_EXTENSION_REFUSED' | 'TOKEN_TYPE_REFUSED' | 'TOKEN_KEY_UNKNOWN' | 'TOKEN_SIGNATURE_INVALID' | 'TOKEN_CLAIM_INVALID' | 'TOKEN_NOT_YET_VALID' | 'TOKEN_EXPIRED' | 'TOKEN_REVOKED' | 'SESSION_ELSEWHERE' | 'SESSION_ENDED';
  UPSTREAM_UNAVAILABLE: 'KEYS_UNAVAILABLE' | 'CLOCK_AHEAD' | 'REVOCATIONS_UNAVAILABLE';
}
