import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether the bytes of a part have the SHA-256 that the client announced. */
export function verifyChecksum(body: Buffer, announced: string | string[] | undefined): boolean {
  if (typeof announced !== 'string') return false;
  const actual = createHash('sha256').update(body).digest();
  const expected = Buffer.from(announced, 'hex');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
