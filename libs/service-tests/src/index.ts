export { invalid, notFound, refusal } from './callers.ts';
export type { Answer, AnswerBody, Caller, Method, Refused, Sent } from './callers.ts';
export { openTestFeed } from './feed.ts';
export type { TestEvent, TestFeed, TestLogo, TestStanding } from './feed.ts';
export { startTestService } from './start.ts';
export type { TestService, TestServiceOptions } from './start.ts';
export { standardServiceTests } from './standard/standard-tests.ts';
export { organizationEndTests, organizationEvent } from './standard/organization-end.ts';
export type { OrganizationEndTestsOptions, Populated } from './standard/organization-end.ts';
