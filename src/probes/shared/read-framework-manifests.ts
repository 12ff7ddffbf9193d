/** Frameworks and workspace markers from the root manifests of every ecosystem but Node. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { limits } from '../../kernel/base/limits.ts';
import type { ParseFailure, ParseOutcome } from '../../kernel/formats/parse-outcome.ts';
import { isCargoWorkspace, readCargoManifest } from './cargo-manifest.ts';
import { goFrameworks, javaFrameworks, pythonFrameworks, rustFrameworks } from './frameworks.ts';
import { manifestLimits } from './manifests.ts';
import { pythonName, readPyproject } from './python-manifest.ts';
import { readParsed } from './read.ts';

export type ManifestFailure = { readonly family: string; readonly path: string; readonly failure: ParseFailure };

export async function readFrameworkManifests(repo: ProbeRepo): Promise<{
  readonly frameworks: readonly string[];
  readonly failures: readonly ManifestFailure[];
  readonly cargoWorkspace: boolean;
}> {
  const frameworks: string[] = [];
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
      frameworks.push(...pythonFrameworks([...runtime, ...dev]));
    }
    const cargo = await readToml('cargo_toml', 'Cargo.toml');
    if (cargo !== null) {
      const { runtime, dev } = readCargoManifest(cargo);
      frameworks.push(...rustFrameworks([...runtime, ...dev]));
      cargoWorkspace = isCargoWorkspace(cargo);
    }
  }
  for (const path of repo.inputs.list(['requirements*.txt'])) {
    const { parseRequirements } = await import('../../kernel/formats/requirements.ts');
    const lines = await read('requirements', path, (bytes) => parseRequirements(bytes, manifestLimits));
    frameworks.push(...pythonFrameworks((lines ?? []).flatMap((line) => pythonName(line.name) ?? [])));
  }
  if (repo.inputs.has('go.mod')) {
    const { parseGoMod } = await import('../../kernel/formats/go-mod.ts');
    const module = await read('go_mod', 'go.mod', (bytes) => parseGoMod(bytes, manifestLimits));
    frameworks.push(...goFrameworks((module?.requires ?? []).map((each) => each.path)));
  }
  for (const path of repo.inputs.list(['pom.xml', 'build.gradle*'])) {
    const { parseText } = await import('../../kernel/formats/parse-outcome.ts');
    const family = path === 'pom.xml' ? 'pom_xml' : 'gradle';
    frameworks.push(...javaFrameworks((await read(family, path, (bytes) => parseText(bytes, manifestLimits))) ?? ''));
  }
  return { frameworks, failures, cargoWorkspace };
}
