export { invalid, notFound, refusal } from './callers.ts';
export type { Answer, AnswerBody, Caller, Method, Refused, Sent } from './callers.ts';
export { openTestFeed } from './feed.ts';
export type { TestEvent, TestFeed, TestLogo } from './feed.ts';
export { startTestService } from './start.ts';
export type { TestService, TestServiceOptions } from './start.ts';
export { standardServiceTests } from './standard/standard-tests.ts';
