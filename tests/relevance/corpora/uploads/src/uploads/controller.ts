import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Session } from '../auth/session';
import { bucket } from '../storage/bucket';
import { verifyChecksum } from './checksum';
import { UploadRegistry } from './registry';
import { validateUpload } from './validate';

const registry = new UploadRegistry();

/** Creates an upload and tells the client how large its parts are. */
export async function createUpload(request: IncomingMessage, response: ServerResponse, session: Session) {
  const wish = await readJson(request);
  const problem = validateUpload(wish);
  if (problem) {
    response.writeHead(422).end(problem);
    return;
  }
  const upload = registry.open(session.user, wish);
  response.writeHead(201).end(JSON.stringify({ id: upload.id, partBytes: upload.partBytes }));
}

/** Stores one part after its checksum was verified. */
export async function putPart(request: IncomingMessage, response: ServerResponse) {
  const [, , id, , number] = (request.url ?? '').split('/');
  const upload = registry.get(id);
  const body = await readBody(request);
  if (!verifyChecksum(body, request.headers['x-part-sha256'])) {
    response.writeHead(400).end(`checksum mismatch in part ${number}`);
    return;
  }
  await bucket.put(`${upload.id}/${number}`, body);
  upload.received.add(Number(number));
  response.writeHead(204).end();
}

/** Joins the parts of an upload into one object. */
export async function completeUpload(request: IncomingMessage, response: ServerResponse) {
  const id = (request.url ?? '').split('/')[2];
  const upload = registry.get(id);
  const missing = upload.missingParts();
  if (missing.length > 0) {
    response.writeHead(409).end(JSON.stringify({ missing }));
    return;
  }
  const address = await bucket.compose(upload.id, upload.nParts);
  registry.close(id);
  response.writeHead(200).end(JSON.stringify({ address }));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function readJson(request: IncomingMessage) {
  return JSON.parse((await readBody(request)).toString('utf8'));
}
