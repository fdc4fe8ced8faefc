import { retryWithBackoff } from '../src/net/retry';

describe('retrying with backoff', () => {
  it('runs the action until it succeeds', async () => {
    let n = 0;
    const action = async () => {
      if (++n < 3) throw new Error('failure');
      return n;
    };
    expect(await retryWithBackoff(action, { attempts: 5, baseMs: 1 })).toBe(3);
  });
});
