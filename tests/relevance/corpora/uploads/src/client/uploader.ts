import { throttle } from '../progress/throttle';
import { ProgressMeter } from '../progress/meter';

export interface UploaderOptions {
  endpoint: string;
  token: string;
  onProgress?: (percent: number) => void;
}

/** The client's side: cuts a file into parts and sends those that the server lacks. */
export class ResumableUploader {
  constructor(private readonly options: UploaderOptions) {}

  async upload(file: File): Promise<string> {
    const { id, partBytes } = await this.create(file);
    const meter = new ProgressMeter(file.size);
    const report = throttle(() => this.options.onProgress?.(meter.percent), 100);
    for (let start = 0, number = 1; start < file.size; start += partBytes, number++) {
      const part = file.slice(start, start + partBytes);
      await this.sendPart(id, number, part);
      meter.add(part.size);
      report();
    }
    return this.complete(id);
  }

  private async create(file: File): Promise<{ id: string; partBytes: number }> {
    const body = JSON.stringify({ name: file.name, size: file.size, mimeType: file.type });
    const response = await fetch(`${this.options.endpoint}/uploads`, { method: 'POST', body });
    return response.json();
  }

  private async sendPart(id: string, number: number, part: Blob): Promise<void> {
    const digest = await crypto.subtle.digest('SHA-256', await part.arrayBuffer());
    const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const headers = { 'x-part-sha256': hex };
    await fetch(`${this.options.endpoint}/uploads/${id}/parts/${number}`, { method: 'PUT', headers, body: part });
  }

  private async complete(id: string): Promise<string> {
    const response = await fetch(`${this.options.endpoint}/uploads/${id}/complete`, { method: 'POST' });
    const { address } = await response.json();
    return address;
  }
}
