/** Single sign-on: the identity providers of organizations, and whom they sign in. */
export { arrivalCodes, type ArrivalCode } from './arrivals/arrival-codes.ts';
export { ConnectionEndings } from './connection-endings.ts';
export { tooManyRoles } from './connections.errors.ts';
export { createConnections } from './wing.ts';
export type { ConnectionsWing } from './wing.ts';
export { connectionsRoutes } from './connections.routes.ts';
