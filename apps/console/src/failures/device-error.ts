/** Why this browser or device did not do what the page asked of it; each has a sentence. */
export type DeviceReason =
  | 'ALREADY_REGISTERED'
  | 'NOT_ALLOWED'
  | 'TIMED_OUT'
  | 'NOT_VERIFIED'
  | 'NOT_SUPPORTED'
  | 'OTHER_SITE'
  | 'FAILED';

/** The browser, or a device of its user, refused; expected, and no defect. */
export class DeviceError extends Error {
  override readonly name = 'DeviceError';
  readonly reason: DeviceReason;

  constructor(reason: DeviceReason, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}
