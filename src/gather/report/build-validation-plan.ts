/**
 * The commands that would show a change to be right, in the order to run them, each with where it was found.
 * Script names are taken from a closed list; what runs is the repository's own text, shown and never executed.
 */

import { type EnvelopeView, sectionOf } from './envelope-view.ts';
import { at, linesAt, listAt, textAt } from './loose-json.ts';

export type ValidationStep = { readonly step: string; readonly command: string | null; readonly source: string };

const installCommands: Readonly<Record<string, string>> = {
  npm: 'npm ci',
  pnpm: 'pnpm install --frozen-lockfile',
  'yarn-classic': 'yarn install --frozen-lockfile',
  'yarn-berry': 'yarn install --immutable',
  bun: 'bun install --frozen-lockfile',
};
const runners: Readonly<Record<string, string>> = {
  npm: 'npm run',
  pnpm: 'pnpm run',
  'yarn-classic': 'yarn run',
  'yarn-berry': 'yarn run',
  bun: 'bun run',
};
/** Step → script names that mean it, best first. */
const scripts: readonly (readonly [string, readonly string[]])[] = [
  ['Regenerate', ['codegen', 'generate', 'generate:api', 'generate:proto']],
  ['Type-check', ['typecheck', 'type-check', 'check:types', 'check-types', 'tsc']],
  ['Lint', ['lint', 'check', 'eslint']],
  ['Build', ['build', 'compile', 'bundle']],
];
const frameworkCommands: Readonly<Record<string, string>> = {
  vitest: 'npx vitest run',
  jest: 'npx jest',
  mocha: 'npx mocha',
  ava: 'npx ava',
  tap: 'npx tap',
  node_test: 'node --test',
  pytest: 'pytest',
  go_test: 'go test ./...',
  cargo_test: 'cargo test',
};

export function buildValidationPlan(view: EnvelopeView): readonly ValidationStep[] {
  const build = sectionOf(view, 'build_system');
  const manager = textAt(build, 'package_manager');
  const runner = manager === null ? undefined : lookup(runners, manager);
  const steps: ValidationStep[] = [];

  const install = manager === null ? undefined : lookup(installCommands, manager);
  if (install !== undefined && textAt(build, 'lockfile') !== null) {
    steps.push({ step: 'Install', command: install, source: textAt(build, 'lockfile') ?? '' });
  }
  const names = new Set(listAt(build, 'commands').flatMap((command) => textAt(command, 'name') ?? []));
  for (const [step, candidates] of scripts) {
    const script = candidates.find((name) => names.has(name));
    if (script !== undefined && runner !== undefined) {
      steps.push({ step, command: `${runner} ${script}`, source: 'package.json scripts' });
    }
  }
  steps.push(unitTests(view, names, runner), ...endToEnd(view, names, runner), ...smoke(view), ...container(view));
  steps.push({ step: 'Compare', command: 'codegenie gather', source: 'the same facts again, after the change' });
  return steps;
}

function unitTests(view: EnvelopeView, names: ReadonlySet<string>, runner: string | undefined): ValidationStep {
  const step = 'Unit tests';
  if (names.has('test') && runner !== undefined)
    return { step, command: `${runner} test`, source: 'package.json scripts' };
  const inCi = textAt(sectionOf(view, 'ci'), 'unit_test_command');
  if (inCi !== null) return { step, command: inCi, source: 'CI' };
  const framework = textAt(sectionOf(view, 'test_inventory'), 'framework');
  const command = framework === null ? undefined : lookup(frameworkCommands, framework);
  if (command !== undefined) return { step, command, source: `framework ${framework}` };
  return { step, command: null, source: 'no test command was found: nothing here proves a change' };
}

function endToEnd(
  view: EnvelopeView,
  names: ReadonlySet<string>,
  runner: string | undefined,
): readonly ValidationStep[] {
  const framework = textAt(sectionOf(view, 'test_inventory'), 'e2e_framework');
  const script = ['test:e2e', 'e2e'].find((name) => names.has(name));
  if (script !== undefined && runner !== undefined) {
    return [{ step: 'End to end', command: `${runner} ${script}`, source: 'package.json scripts' }];
  }
  const commands: Readonly<Record<string, string>> = { playwright: 'npx playwright test', cypress: 'npx cypress run' };
  const command = framework === null ? undefined : lookup(commands, framework);
  return command === undefined ? [] : [{ step: 'End to end', command, source: `framework ${framework}` }];
}

function smoke(view: EnvelopeView): readonly ValidationStep[] {
  const inCi = textAt(sectionOf(view, 'ci'), 'smoke_test_command');
  if (inCi !== null) return [{ step: 'Smoke test', command: inCi, source: 'CI' }];
  const path =
    textAt(sectionOf(view, 'test_inventory'), 'smoke_test_path') ?? textAt(sectionOf(view, 'ci'), 'smoke_test_path');
  return path === null ? [] : [{ step: 'Smoke test', command: path, source: 'smoke script' }];
}

function container(view: EnvelopeView): readonly ValidationStep[] {
  const image = sectionOf(view, 'image_build');
  const inCi = textAt(sectionOf(view, 'ci'), 'image_build_command');
  const steps: ValidationStep[] = [];
  if (inCi !== null) steps.push({ step: 'Image', command: inCi, source: 'CI' });
  else if (image !== undefined) {
    const file = textAt(image, 'dockerfile') ?? 'Dockerfile';
    steps.push({ step: 'Image', command: 'codegenie gather --only image_build', source: file });
  }
  const trace = sectionOf(view, 'runtime_trace');
  if (trace !== undefined) {
    const ran = linesAt(trace, 'scenarios_run');
    const results = at(trace, 'scenario_results');
    const all = Array.isArray(results) ? results.length : ran.length;
    const source = `${ran.length} of ${all} scenarios completed this time${ran.length === 0 ? '' : `: ${ran.join(', ')}`}`;
    steps.push({ step: 'Trace', command: 'codegenie gather --only runtime_trace', source });
  }
  return steps;
}

function lookup(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
