import { expect, test } from 'vitest';
import { settingsOf } from './ask.ts';

test('what a workspace is opened with is had without opening the input', () => {
  const terminal = {
    ...{ cwd: '/', home: '/home', environment: {}, nowMs: () => 0, signal: new AbortController().signal },
    ...{ stdout: process.stdout, stderr: process.stderr },
    get stdin(): never {
      throw new Error('it was looked at');
    },
  };
  expect(settingsOf({ terminal })).toMatchObject({ home: '/home', cliVersion: expect.any(String) });
});
