type Level = 'info' | 'warn' | 'error';

function write(level: Level, message: string) {
  process.stderr.write(`${new Date().toISOString()} ${level} ${message}\n`);
}

export const logger = {
  info: (message: string) => write('info', message),
  warn: (message: string) => write('warn', message),
  error: (message: string) => write('error', message),
};
