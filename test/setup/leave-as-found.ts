/** Around every file of a shared process: what belongs to the process is afterwards as it was, or the file has failed. */

import { afterAll, expect } from 'vitest';

const look = () => ({
  directory: process.cwd(),
  mask: process.umask(),
  environment: { ...process.env },
  signals: process.eventNames().filter((name) => String(name).startsWith('SIG')),
});

const found = look();
afterAll(() => expect(look()).toEqual(found));
