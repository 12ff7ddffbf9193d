/** What package manifests say about testing: dependencies on frameworks, configuration kept in a manifest, scripts of the root. */

import type { ProbeRepo } from '../../../gather/contract.ts';
import { isJsonObject, type JsonObject } from '../../../kernel/base/json.ts';
import { limits } from '../../../kernel/base/limits.ts';
import { decodeLenient } from '../../../kernel/base/text.ts';
import type { Findings } from '../findings.ts';
import { member, objectAt } from '../json-access.ts';
import { type ManifestContext, readManifest, readOrReport } from '../manifests.ts';
import { readPyproject } from '../python-manifest.ts';
import { type E2eEvidence, evidenceOfDependencies } from './framework-evidence.ts';
import type { FrameworkEvidence, TestFramework } from './test-frameworks.ts';

export type TestManifests = {
  readonly unit: FrameworkEvidence[];
  readonly e2e: E2eEvidence[];
  readonly rootScripts: { readonly name: string; readonly command: string }[];
};

/** Keys of package.json that are a framework's configuration. */
const configKeys: readonly TestFramework[] = ['jest', 'mocha', 'ava', 'tap', 'vitest'];

/** A broken package.json is reported; a broken manifest of another ecosystem is another probe's matter and says nothing here. */
export async function readTestManifests(
  repo: ProbeRepo,
  ctx: ManifestContext,
  findings: Findings,
): Promise<TestManifests> {
  const found: TestManifests = { unit: [], e2e: [], rootScripts: [] };
  for (const path of repo.inputs.list(['**/package.json'])) {
    const manifest = await readOrReport(repo, ctx, path, 'package_json', findings);
    if (manifest !== null) addPackageJson(path, manifest, found);
  }
  for (const path of repo.inputs.list(['**/pyproject.toml'])) await addPyproject(repo, ctx, path, found);
  for (const path of repo.inputs.list(['**/requirements*.txt'])) {
    if (await mentions(repo, path, /^\s{0,20}pytest\s{0,20}(?:[<>=!~[;#]|$)/im)) {
      found.unit.push({ framework: 'pytest', strength: 'dependency' });
    }
  }
  for (const path of repo.inputs.list(['tox.ini', 'setup.cfg'])) {
    if (await mentions(repo, path, /^\[(?:tool:)?pytest\]/m))
      found.unit.push({ framework: 'pytest', strength: 'config' });
  }
  for (const path of repo.inputs.list(['**/pom.xml', '**/build.gradle*'])) {
    if (await mentions(repo, path, /\bjunit\b/i)) found.unit.push({ framework: 'junit', strength: 'dependency' });
  }
  return found;
}

function addPackageJson(path: string, value: JsonObject, found: TestManifests): void {
  const names = ['dependencies', 'devDependencies'].flatMap((key) => Object.keys(objectAt(value, key)));
  const evidence = evidenceOfDependencies(names);
  found.unit.push(...evidence.unit);
  found.e2e.push(...evidence.e2e);
  for (const framework of configKeys) {
    if (isJsonObject(value[framework])) found.unit.push({ framework, strength: 'config' });
  }
  if (path !== 'package.json') return;
  for (const [name, command] of Object.entries(objectAt(value, 'scripts'))) {
    if (typeof command === 'string') found.rootScripts.push({ name, command });
  }
}

async function addPyproject(repo: ProbeRepo, ctx: ManifestContext, path: string, found: TestManifests): Promise<void> {
  const manifest = await readManifest(repo, ctx, path);
  if (manifest.kind !== 'read') return;
  if (member(manifest.value, 'tool', 'pytest') !== undefined)
    found.unit.push({ framework: 'pytest', strength: 'config' });
  const facts = readPyproject(manifest.value);
  found.unit.push(...evidenceOfDependencies([...facts.runtime, ...facts.dev]).unit);
}

async function mentions(repo: ProbeRepo, path: string, pattern: RegExp): Promise<boolean> {
  const read = await repo.inputs.read(path, limits.textBytes);
  return read.kind === 'read' && pattern.test(decodeLenient(read.bytes));
}
