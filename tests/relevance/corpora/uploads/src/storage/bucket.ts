import { retryWithBackoff } from '../net/retry';
import { SignedClient } from './signed-client';

/** The bucket in which parts and objects are stored. */
export class Bucket {
  constructor(private readonly client: SignedClient) {}

  /** Stores an object; a failed transfer is tried again. */
  async put(key: string, body: Buffer): Promise<void> {
    await retryWithBackoff(() => this.client.send('PUT', key, body));
  }

  /** Joins numbered parts into one object and returns its address. */
  async compose(key: string, nParts: number): Promise<string> {
    const parts = Array.from({ length: nParts }, (_, i) => `${key}/${i + 1}`);
    await this.client.send('POST', `${key}?compose`, Buffer.from(JSON.stringify({ parts })));
    return this.client.address(key);
  }

  async removeAll(prefix: string): Promise<void> {
    await this.client.send('DELETE', `${prefix}/`);
  }
}

export const bucket = new Bucket(new SignedClient());
