/** Express 4, beside the version that the rest uses; what is used of it has the types of Express 5. */
declare module 'express-4' {
  export { default } from 'express';
}
