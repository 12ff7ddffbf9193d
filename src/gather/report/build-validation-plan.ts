/**
 * The commands that would show a change to be right, in the order to run them, each with where it was found. The `commands` probe chose them:
 * only what does no harm is proposed, and what was left out is named with the reason. They are shown and never executed.
 */

import { readFacts } from '../facts/fact.ts';
import { type EnvelopeView, sectionOf } from './envelope-view.ts';
import { at, linesAt, listAt, textAt } from './loose-json.ts';

export type ValidationStep = { readonly step: string; readonly command: string | null; readonly source: string };

/** Parts that commands play, as people say it. */
const titles: Readonly<Record<string, string>> = {
  install: 'Install',
  typecheck: 'Type-check',
  lint: 'Lint',
  format_check: 'Formatting',
  build: 'Build',
  'test.unit': 'Unit tests',
  'test.e2e': 'End to end',
};

export function buildValidationPlan(view: EnvelopeView): readonly ValidationStep[] {
  const section = sectionOf(view, 'commands');
  // One command may build and test: then it stands in the plan once.
  const unitTests = new Set(
    readFacts(view.envelope)
      .filter(({ id, state }) => id === 'test.unit.command' && state === 'known')
      .map(({ value }) => commandOf(value)),
  );
  const steps = listAt(section, 'plan').flatMap((row): ValidationStep[] => {
    const command = commandOf(row);
    const tests = textAt(row, 'role') !== 'test.unit' && unitTests.has(command ?? '') ? ' and unit tests' : '';
    return command === null ? [] : [{ step: `${titleOf(row)}${tests}`, command, source: textAt(row, 'source') ?? '' }];
  });
  if (!steps.some(({ step }) => /\bunit tests$/i.test(step))) {
    const source = 'no test command was found: nothing here proves a change';
    steps.push({ step: 'Unit tests', command: null, source });
  }
  const leftOut = listLeftOut(view).map((row): ValidationStep => {
    const source = `left out: ${commandOf(row) ?? ''} (${textAt(row, 'why') ?? ''})`;
    return { step: titleOf(row), command: null, source };
  });
  const compare = { step: 'Compare', command: 'codegenie gather', source: 'the same facts again, after the change' };
  return [...steps, ...container(view), compare, ...leftOut];
}

/** Commands that are not proposed. `./x.sh` and `bash x.sh` are one script. */
export function listLeftOut(view: EnvelopeView): readonly unknown[] {
  const script = (row: unknown) => commandOf(row)?.replace(/^(?:(?:ba|z)?sh )?(?:\.\/)?/, '');
  const rows = listAt(sectionOf(view, 'commands'), 'left_out');
  return rows.filter((row, at) => rows.findIndex((other) => script(other) === script(row)) === at);
}

function titleOf(row: unknown): string {
  const role = textAt(row, 'role') ?? '';
  return Object.hasOwn(titles, role) ? (titles[role] as string) : role;
}

function commandOf(row: unknown): string | null {
  const [cmd, cwd] = [textAt(row, 'cmd'), textAt(row, 'cwd')];
  if (cmd === null) return null;
  return cwd === null || cwd === '.' ? cmd : `cd ${cwd} && ${cmd}`;
}

function container(view: EnvelopeView): readonly ValidationStep[] {
  const image = sectionOf(view, 'image_build');
  const steps: ValidationStep[] = [];
  // Proposed where it worked: a base image that is not here makes no step to follow.
  if (textAt(image, 'built_image_digest') !== null) {
    const file = textAt(image, 'dockerfile') ?? 'Dockerfile';
    steps.push({ step: 'Image', command: 'codegenie gather --only image_build', source: file });
  }
  const trace = sectionOf(view, 'runtime_trace');
  const ran = linesAt(trace, 'scenarios_run');
  if (ran.length > 0) {
    const results = at(trace, 'scenario_results');
    const all = Array.isArray(results) ? results.length : ran.length;
    const source = `${ran.length} of ${all} scenarios completed this time${ran.length === 0 ? '' : `: ${ran.join(', ')}`}`;
    steps.push({ step: 'Trace', command: 'codegenie gather --only runtime_trace', source });
  }
  return steps;
}
