export { AddressedShares, type AddressedSharesOptions } from './addressed-shares.ts';
export { addressAsking, askedFrom } from './asking-address.ts';
export { FairShares, type FairSharesOptions, type Share } from './fair-shares.ts';
export { NoShareError } from './no-share-error.ts';
export { sharerOf, type Asking, type Sharer } from './sharer.ts';
