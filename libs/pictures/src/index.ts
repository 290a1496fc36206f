export { drawPicture, type Picture, type PictureBounds } from './draw-picture.ts';
export { pictureMediaTypes, pictureSideMax } from './picture-formats.ts';
export { UnusablePictureError } from './unusable-picture-error.ts';
