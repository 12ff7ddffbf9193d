/** Frameworks that a repository's dependency names give away (probes.md, language_detection). Names only, never code. */

import type { ProbeRepo } from '../../gather/contract.ts';
import type { JsonObject } from '../../kernel/base/json.ts';
import { limits } from '../../kernel/base/limits.ts';
import type { ParseFailure, ParseOutcome } from '../../kernel/formats/parse-outcome.ts';
import { type Ecosystem, frameworkOf } from '../shared/framework-catalog.ts';
import { isCargoWorkspace, namesIn, pythonName, readCargoManifest, readPyproject } from '../shared/manifest-facts.ts';
import { manifestLimits, readParsed } from '../shared/probe-reading.ts';

export function nodeDependencyNames(manifest: JsonObject): readonly string[] {
  return [...namesIn(manifest['dependencies']), ...namesIn(manifest['devDependencies'])];
}

/** A framework, and the dependency that gives it away. */
export type FoundFramework = { readonly framework: string; readonly dependency: string };

export function nodeFrameworks(dependencies: Iterable<string>): readonly FoundFramework[] {
  return lookUp('node', dependencies);
}

/** Names in the form of PEP 503. */
function pythonFrameworks(dependencies: Iterable<string>): readonly FoundFramework[] {
  return lookUp('python', dependencies);
}

/** Module paths, with or without a major version suffix. */
function goFrameworks(modules: Iterable<string>): readonly FoundFramework[] {
  return lookUp('go', modules);
}

function rustFrameworks(crates: Iterable<string>): readonly FoundFramework[] {
  return lookUp('rust', crates);
}

/** Build files of the JVM are programs; only the group id that every Spring Boot build spells out is looked for. */
function javaFrameworks(buildFile: string): readonly FoundFramework[] {
  const dependency = 'org.springframework.boot';
  return buildFile.includes(dependency) ? [{ framework: 'spring-boot', dependency }] : [];
}

function lookUp(ecosystem: Ecosystem, names: Iterable<string>): readonly FoundFramework[] {
  const found = new Map<string, FoundFramework>();
  for (const dependency of names) {
    const framework = frameworkOf(ecosystem, dependency)?.framework.name;
    if (framework !== undefined && !found.has(framework)) found.set(framework, { framework, dependency });
  }
  return [...found.values()];
}

// Frameworks and workspace markers from the root manifests of every ecosystem but Node.

export type ManifestFailure = { readonly family: string; readonly path: string; readonly failure: ParseFailure };

export async function readFrameworkManifests(repo: ProbeRepo): Promise<{
  readonly frameworks: readonly (FoundFramework & { readonly path: string })[];
  readonly failures: readonly ManifestFailure[];
  readonly cargoWorkspace: boolean;
}> {
  const frameworks: (FoundFramework & { readonly path: string })[] = [];
  const add = (path: string, found: readonly FoundFramework[]) =>
    found.forEach((one) => void frameworks.push({ ...one, path }));
  const failures: ManifestFailure[] = [];
  const read = async <T>(
    family: string,
    path: string,
    parse: (bytes: Uint8Array) => ParseOutcome<T>,
  ): Promise<T | null> => {
    const outcome = await readParsed(repo, path, limits.manifestBytes, parse);
    if ('absent' in outcome) return null;
    if (outcome.ok) return outcome.value;
    failures.push({ family, path, failure: outcome.failure });
    return null;
  };

  let cargoWorkspace = false;
  if (repo.inputs.has('pyproject.toml') || repo.inputs.has('Cargo.toml')) {
    const { parseToml } = await import('../../kernel/formats/toml.ts');
    const readToml = (family: string, path: string) =>
      repo.inputs.has(path) ? read(family, path, (bytes) => parseToml(bytes, manifestLimits)) : null;
    const pyproject = await readToml('pyproject', 'pyproject.toml');
    if (pyproject !== null) {
      const { runtime, dev } = readPyproject(pyproject);
      add('pyproject.toml', pythonFrameworks([...runtime, ...dev]));
    }
    const cargo = await readToml('cargo_toml', 'Cargo.toml');
    if (cargo !== null) {
      const { runtime, dev } = readCargoManifest(cargo);
      add('Cargo.toml', rustFrameworks([...runtime, ...dev]));
      cargoWorkspace = isCargoWorkspace(cargo);
    }
  }
  for (const path of repo.inputs.list(['requirements*.txt'])) {
    const { parseRequirements } = await import('../../kernel/formats/requirements.ts');
    const lines = await read('requirements', path, (bytes) => parseRequirements(bytes, manifestLimits));
    add(path, pythonFrameworks((lines ?? []).flatMap((line) => pythonName(line.name) ?? [])));
  }
  if (repo.inputs.has('go.mod')) {
    const { parseGoMod } = await import('../../kernel/formats/go-mod.ts');
    const module = await read('go_mod', 'go.mod', (bytes) => parseGoMod(bytes, manifestLimits));
    add('go.mod', goFrameworks((module?.requires ?? []).map((each) => each.path)));
  }
  for (const path of repo.inputs.list(['pom.xml', 'build.gradle*'])) {
    const { parseText } = await import('../../kernel/formats/parse-outcome.ts');
    const family = path === 'pom.xml' ? 'pom_xml' : 'gradle';
    add(path, javaFrameworks((await read(family, path, (bytes) => parseText(bytes, manifestLimits))) ?? ''));
  }
  return { frameworks, failures, cargoWorkspace };
}
