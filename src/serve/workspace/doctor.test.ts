import { expect, test } from 'vitest';
import { installAll } from './doctor.ts';

const having =
  (...programs: readonly string[]) =>
  (name: string) =>
    programs.includes(name);

test('one command for what is missing: by the package manager of the system, then by those that have the rest', () => {
  const missing = ['bwrap', 'rg', 'semgrep', 'gitleaks', 'scip-clang'] as const;
  expect(installAll(missing, having('apt-get', 'go', 'pipx'), false)).toEqual({
    command:
      'sudo apt-get install bubblewrap ripgrep && pipx install semgrep && go install github.com/zricethezav/gitleaks/v8@latest',
    tools: ['bwrap', 'rg', 'semgrep', 'gitleaks'],
  });
  expect(installAll(missing, having('brew', 'go'), false)?.command).toBe('brew install ripgrep semgrep gitleaks');
  expect(installAll(['rg'], having('dnf'), true)?.command).toBe('dnf install ripgrep');
  expect(installAll(['gitleaks', 'grype'], having('go'), false)?.command).toBe(
    'go install github.com/zricethezav/gitleaks/v8@latest && go install github.com/anchore/grype/cmd/grype@latest',
  );
});

test('of two that do the same one; nothing where nothing is missing, or nothing here has it', () => {
  expect(installAll(['docker', 'podman'], having('apt-get'), true)?.command).toBe('apt-get install podman');
  expect(installAll([], having('apt-get'), true)).toBeNull();
  expect(installAll(['scip-clang'], having('apt-get', 'brew'), true)).toBeNull();
  expect(installAll(['rg'], having(), true)).toBeNull();
});
