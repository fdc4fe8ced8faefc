import { connect } from 'node:net';

/** Streams a file to the virus scanner and returns the name of what it found. */
export function scanForViruses(body: Buffer, port = 3310): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(port);
    let answer = '';
    socket.on('data', (data) => (answer += data.toString()));
    socket.on('end', () => resolve(/stream: (.+) FOUND/.exec(answer)?.[1]));
    socket.on('error', reject);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    socket.write('zINSTREAM\0');
    socket.write(length);
    socket.end(body);
  });
}
