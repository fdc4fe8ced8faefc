import { ResumableUploader } from '../src/client/uploader';

/** Resumes an upload of a large file and prints its progress. */
export async function resumeExample(file: File) {
  const uploader = new ResumableUploader({
    endpoint: 'https://uploads.example.com',
    token: 'secret',
    onProgress: (percent) => console.log(`${percent} % of the upload`),
  });
  console.log('missing parts are sent again', await uploader.upload(file));
}
