/** The types of the client, for users of the bundle. */
export interface UploaderOptions {
  endpoint: string;
  token: string;
  onProgress?: (percent: number) => void;
}

export declare class ResumableUploader {
  constructor(options: UploaderOptions);
  upload(file: File): Promise<string>;
}

export declare function retryWithBackoff<T>(action: () => Promise<T>): Promise<T>;
