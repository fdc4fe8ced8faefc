import { createHmac } from 'node:crypto';

/** Sends requests to the bucket, each with a signature of its method, key and date. */
export class SignedClient {
  constructor(
    private readonly endpoint = process.env.BUCKET_ENDPOINT ?? 'http://localhost:9000',
    private readonly secret = process.env.BUCKET_SECRET ?? '',
  ) {}

  sign(method: string, key: string, date: string): string {
    return createHmac('sha256', this.secret).update(`${method}\n${key}\n${date}`).digest('base64');
  }

  async send(method: string, key: string, body?: Buffer): Promise<Response> {
    const date = new Date().toUTCString();
    const headers = { date, authorization: `Bucket ${this.sign(method, key, date)}` };
    const response = await fetch(this.address(key), { method, headers, body });
    if (response.status >= 500) throw new Error(`bucket answered ${response.status}`);
    return response;
  }

  address(key: string): string {
    return `${this.endpoint}/${key}`;
  }
}
