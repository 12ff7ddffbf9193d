import { expect, test } from 'vitest';
import { recordingLogger } from '../base/log.ts';
import { buildEnvironment, engineEnvironment, hardenedGitVariables, isSensitiveKey } from './environment.ts';

test.each([
  ...[
    'SSH_AUTH_SOCK',
    'GITHUB_TOKEN',
    'npm_config__authtoken_TOKEN',
    'MY_SECRET',
    'MY_SECRET_KEY',
    'DB_PASSWORD',
    'OPENAI_API_KEY',
  ],
  ...[
    'AWS_PROFILE',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'AZURE_CLIENT_ID',
    'NODE_OPTIONS',
    'LD_PRELOAD',
    'DYLD_INSERT_LIBRARIES',
  ],
  ...['GIT_DIR', 'GIT_SSH_COMMAND', 'GIT_CONFIG_COUNT', 'GIT_EXTERNAL_DIFF'],
])('G4 %s is dropped from envExtra in any case of letters', (key) => {
  const logger = recordingLogger();
  const extra = { [key]: 'v', [key.toLowerCase()]: 'v', [key.toUpperCase()]: 'v', FINE: 'yes' };
  const built = buildEnvironment({ path: '/usr/bin', workspace: '/w', extra, logger });
  expect(Object.keys(built)).toEqual(['PATH', 'HOME', 'TMPDIR', 'LANG', 'LC_ALL', 'NO_COLOR', 'FINE']);
  const dropped = logger.events.filter((event) => event.name === 'subproc.env_extra.sensitive_key_dropped');
  expect(dropped.map((event) => event.fields['key'])).toEqual(Object.keys(extra).filter((name) => name !== 'FINE'));
});

test('G4 the variables that harden git, and ordinary ones, are not sensitive', () => {
  for (const key of [...hardenedGitVariables, 'GRYPE_DB_CACHE_DIR', 'TOKENIZER', 'CONTAINERS_CONF']) {
    expect(isSensitiveKey(key), key).toBe(false);
  }
});

test('G4 an engine gets the real home and what names its service, and nothing else', () => {
  const user = {
    HOME: '/home/me',
    DOCKER_HOST: 'unix:///x',
    GITHUB_TOKEN: 't',
    PATH: '/bin',
    XDG_RUNTIME_DIR: undefined,
  };
  expect(engineEnvironment(user)).toEqual({ HOME: '/home/me', DOCKER_HOST: 'unix:///x' });
});
