/** The file is not a picture that can be drawn; the message continues "The picture …" and says what to do. */
export class UnusablePictureError extends Error {
  override readonly name = 'UnusablePictureError';
}
