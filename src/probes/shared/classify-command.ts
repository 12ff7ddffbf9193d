/** What a line of CI or a package script does: build an image, run unit tests, run a smoke test. */

import { expandScripts, type ScriptLookup, scriptNameOf } from './npm-scripts.ts';
import { listInvocations } from './shell-commands.ts';

export type CommandPurpose = 'image_build' | 'unit_test' | 'smoke_test';

const imageBuild = /\bdocker {1,8}buildx?\b|\bpodman {1,8}build\b|\bbuildah\b/;
const smokeTest = /\brun smoke\b|\btest:smoke\b|\bsmoke:test\b|\bscripts\/smoke|\bsmoke\.(?:sh|py|[cm]?[jt]s)\b/;
const unitTools = new Set(['vitest', 'jest', 'mocha', 'pytest', 'py.test']);
/** `test:unit` and `test:ci` are unit tests, these are not. */
const otherTests =
  /^test:(?:.*[:-])?(?:e2e|smoke|integration|acceptance|ui|visual|perf|load|browser|playwright|cypress)\b/;

/** Does the line, or a script it stands for, serve the purpose? */
export function servesPurpose(line: string, purpose: CommandPurpose, lookup: ScriptLookup): boolean {
  const serves = { image_build: isImageBuild, unit_test: isUnitTest, smoke_test: isSmokeTest }[purpose];
  return expandScripts(line, lookup).some(serves);
}

export function isImageBuild(line: string): boolean {
  return imageBuild.test(line);
}

export function isSmokeTest(line: string): boolean {
  return smokeTest.test(line);
}

export function isUnitTest(line: string): boolean {
  return listInvocations(line).some((words) => {
    const [program = '', ...rest] = words;
    const script = scriptNameOf(words);
    if (script !== null) return unitTools.has(script) || (/^test(:|$)/.test(script) && !otherTests.test(script));
    if (unitTools.has(program)) return true;
    if (program === 'node') return rest.includes('--test');
    if (program === 'go') return rest[0] === 'test';
    if (program === 'cargo') return rest.some((word) => word === 'test' || word === 'nextest');
    if (program === 'mvn' || program === 'mvnw') return rest.includes('test') || rest.includes('verify');
    return (program === 'gradle' || program === 'gradlew') && rest.some((word) => /^(?::?[\w-]+:)*test$/.test(word));
  });
}
