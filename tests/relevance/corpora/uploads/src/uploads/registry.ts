import { randomUUID } from 'node:crypto';

import limits from '../../config/limits.json';

export interface UploadWish {
  name: string;
  size: number;
  mimeType: string;
}

/** An upload in progress: which of its parts have arrived. */
export class Upload {
  readonly id = randomUUID();
  readonly partBytes = limits.partBytes;
  readonly received = new Set<number>();
  readonly startedAt = Date.now();

  constructor(readonly owner: string, readonly wish: UploadWish) {}

  get nParts(): number {
    return Math.ceil(this.wish.size / this.partBytes);
  }

  /** The numbers of the parts that a client has to send to resume. */
  missingParts(): number[] {
    const all = Array.from({ length: this.nParts }, (_, i) => i + 1);
    return all.filter((number) => !this.received.has(number));
  }

  isAbandoned(now: number): boolean {
    return now - this.startedAt > limits.abortAfterHours * 3_600_000;
  }
}

export class UploadRegistry {
  private readonly uploads = new Map<string, Upload>();

  open(owner: string, wish: UploadWish): Upload {
    const upload = new Upload(owner, wish);
    this.uploads.set(upload.id, upload);
    return upload;
  }

  get(id: string): Upload {
    const upload = this.uploads.get(id);
    if (!upload) throw new Error(`no upload with id '${id}'`);
    return upload;
  }

  close(id: string): void {
    this.uploads.delete(id);
  }

  abandoned(now: number): Upload[] {
    return [...this.uploads.values()].filter((upload) => upload.isAbandoned(now));
  }
}
