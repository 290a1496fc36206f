export type { MeasuredPool } from './database-metrics.ts';
export type { Distribution, Labels, Measurement, Reading, Total } from './measurement.ts';
export { measureShares } from './share-metrics.ts';
export { measureRequests } from './request-metrics.ts';
