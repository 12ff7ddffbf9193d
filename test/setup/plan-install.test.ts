import { expect, test } from 'vitest';
import { type InstallWorld, planInstall, privateDirectories } from './plan-install.ts';

const all =
  'podman buildah runc fuse-overlayfs bwrap strace busybox chromium rg semgrep ast-grep gitleaks syft grype go python3 apt-get'.split(
    ' ',
  );

function planned(world: Partial<InstallWorld> & { readonly without?: readonly string[] }) {
  const { without = [], ...rest } = world;
  return planInstall({
    environment: {},
    isRoot: true,
    isDebian: true,
    hasCommand: (name) => all.includes(name) && !without.includes(name),
    failedLately: () => false,
    cacheDir: '/cache',
    ...rest,
  });
}

test('everything is here: nothing to do', () => {
  expect(planned({})).toEqual({ steps: [], missing: [] });
});

test('Debian packages are installed in one go, those that are missing alone', () => {
  const { steps, missing } = planned({ without: ['bwrap', 'rg'] });
  expect(steps.map(({ name, brings }) => [name, ...brings])).toEqual([['apt', 'bwrap', 'rg']]);
  expect(steps[0]?.commands.at(-1)?.argv.slice(-3)).toEqual(['install', 'bubblewrap', 'ripgrep']);
  expect(missing).toEqual([]);
});

test('without root, without Debian and without a package manager the missing are named', () => {
  const without = ['strace'];
  expect(planned({ without, isRoot: false }).missing).toEqual([{ tool: 'strace', why: 'not root' }]);
  expect(planned({ without, isDebian: false }).missing).toEqual([{ tool: 'strace', why: 'not Debian' }]);
  expect(planned({ without: [...without, 'apt-get'] }).missing).toEqual([{ tool: 'strace', why: 'not Debian' }]);
});

test('private tools need their language; long builds are asked for', () => {
  const without = ['semgrep', 'ast-grep', 'gitleaks', 'syft', 'grype'];
  expect(planned({ without }).steps.map(({ name }) => name)).toEqual(['semgrep', 'ast-grep', 'gitleaks']);
  expect(planned({ without }).missing.map(({ tool }) => tool)).toEqual(['syft', 'grype']);
  const asked = planned({ without, environment: { CODEGENIE_TEST_TOOLS: 'all' } });
  expect(asked.steps.map(({ name }) => name)).toEqual(['semgrep', 'ast-grep', 'gitleaks', 'syft', 'grype']);
  expect(planned({ without: [...without, 'go', 'python3'] }).steps).toEqual([]);
});

test('switched off: nothing is started, everything is named', () => {
  const { steps, missing } = planned({ without: ['rg', 'semgrep'], environment: { CODEGENIE_TEST_INSTALL: '0' } });
  expect(steps).toEqual([]);
  expect(missing).toEqual([
    { tool: 'rg', why: 'switched off' },
    { tool: 'semgrep', why: 'switched off' },
  ]);
});

test('what failed lately is not tried again, unless that is asked for', () => {
  const failedLately = (step: string) => step === 'semgrep';
  expect(planned({ without: ['semgrep', 'rg'], failedLately }).steps.map(({ name }) => name)).toEqual(['apt']);
  const again = planned({ without: ['semgrep'], failedLately, environment: { CODEGENIE_TEST_INSTALL: '1' } });
  expect(again.steps.map(({ name }) => name)).toEqual(['semgrep']);
});

test('versions are pinned, every command ends, and private tools go below the cache directory', () => {
  const { steps } = planned({
    without: ['rg', 'semgrep', 'gitleaks', 'syft', 'grype'],
    environment: { CODEGENIE_TEST_TOOLS: 'all' },
  });
  for (const { commands } of steps) for (const { timeoutMs } of commands) expect(timeoutMs).toBeGreaterThan(0);
  for (const { name, commands } of steps.filter((step) => step.name !== 'apt')) {
    expect([name, commands.at(-1)?.argv.at(-1)]).toEqual([name, expect.stringMatching(/(?:@v|==)\d+\.\d+\.\d+$/)]);
  }
  expect(privateDirectories('/cache').every((path) => path.startsWith('/cache/'))).toBe(true);
});
