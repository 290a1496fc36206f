/** A Redis for tests, empty at first. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  readonly kind: 'container' | 'binary';
  /** Ends it as kill -9 does. */
  kill: () => Promise<void>;
  /** Starts it again on the same port, empty. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}
