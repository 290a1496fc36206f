export type { Measurement, Reading } from './measurement.ts';
export { measureShares } from './share-metrics.ts';
export { measureRequests } from './request-metrics.ts';
