import { createHash } from 'node:crypto';
import { verifyChecksum } from '../src/uploads/checksum';

describe('the checksum of a part', () => {
  it('accepts the announced checksum', () => {
    const body = Buffer.from('part one');
    const sha = createHash('sha256').update(body).digest('hex');
    expect(verifyChecksum(body, sha)).toBe(true);
  });

  it('refuses a checksum mismatch', () => {
    expect(verifyChecksum(Buffer.from('part'), 'ab')).toBe(false);
  });
});
