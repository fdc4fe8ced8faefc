import limits from '../../config/limits.json';
import type { UploadWish } from './registry';

/** Returns what is wrong with a wish, or nothing if it can be granted. */
export function validateUpload(wish: UploadWish): string | undefined {
  if (wish.size > limits.maxFileBytes) return `file is larger than ${limits.maxFileBytes} bytes`;
  if (!limits.allowedMimeTypes.includes(wish.mimeType)) return `mime type ${wish.mimeType} is not allowed`;
  if (wish.name.includes('/')) return 'file name must not contain a slash';
  return undefined;
}
