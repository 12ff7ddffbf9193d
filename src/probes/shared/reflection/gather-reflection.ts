/** The run of node_reflection: counts of every file, summed, and what they mean for static reasoning. */

import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../../gather/contract.ts';
import { compareCodeUnits, isJsonObject } from '../../../kernel/base/json.ts';
import { isForeignManifest } from '../../../kernel/tree/file-roles.ts';
import { checkGrammars } from '../../../languages/parsing/grammar-pins.ts';
import type { ReflectionFacts } from '../../node-reflection/reflective-code.ts';
import { createFindings, type Findings } from '../findings.ts';
import { shortLine } from '../json-access.ts';
import { readManifest } from '../manifests.ts';
import { type CheckGrammars, grammarsOf, listSources, parseSources } from '../parse-sources.ts';
import { summariseDecorators } from './decorators.ts';
import { isDeclarationFile, mayReflect } from './may-reflect.ts';

export const reflectionSourceGlobs: readonly string[] = ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}'];

export async function gatherReflection(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext<never>, 'signal' | 'parsedManifest'>,
  check: CheckGrammars = checkGrammars,
): Promise<ProbeOutput> {
  const findings = createFindings();
  const sources = listSources(repo, reflectionSourceGlobs).filter(({ path }) => !isDeclarationFile(path));
  const grammars = check(grammarsOf(sources));
  for (const { name, state } of grammars)
    if (state !== 'pinned') findings.fail('node_reflection.grammar_unavailable', { detail: `${name}: ${state}` });
  const files = await parseSources(repo, sources, 'reflection', { grammars, signal: ctx.signal, mayHold: mayReflect });

  const parsed = files.filter((file) => file.kind === 'parsed');
  let parseErrors = 0;
  for (const file of files) {
    if (file.kind === 'parsed' && !file.partial) continue;
    if (file.kind === 'failed' && file.reason === 'no_grammar') continue;
    const isLarge = file.kind === 'failed' && file.reason === 'too_large';
    if (!isLarge) parseErrors += 1;
    findings.warn(isLarge ? 'node_reflection.file_too_large' : 'node_reflection.parse_error', { path: file.path });
  }
  const sum = (pick: (facts: ReflectionFacts) => number) => parsed.reduce((total, { facts }) => total + pick(facts), 0);
  const envNames = new Set(parsed.flatMap(({ facts }) => facts.envNames.map((name) => shortLine(name, 200))));
  const section = {
    eval_usage: sum((facts) => facts.evals),
    function_constructor_usage: sum((facts) => facts.functionConstructors),
    dynamic_require_count: sum((facts) => facts.dynamicRequires),
    dynamic_import_count: sum((facts) => facts.dynamicImports),
    dynamic_property_access_count: sum((facts) => facts.dynamicAccesses),
    dynamic_call_count: sum((facts) => facts.dynamicCalls),
    prototype_manipulation_count: sum((facts) => facts.prototypeChanges),
    decorator_usage: summariseDecorators(
      parsed.flatMap(({ facts }) => facts.decorators),
      await readDependencies(repo, ctx, findings),
    ),
    middleware_chains: sum((facts) => facts.middlewareChains),
    env_var_reads: {
      count: sum((facts) => facts.envReads),
      code_path_affecting: sum((facts) => facts.envReadsInConditions),
      names: [...envNames].sort(compareCodeUnits),
    },
    affected_files: parsed.filter(({ facts }) => isAffected(facts)).map(({ path }) => path),
    parse_errors: parseErrors,
  };
  const isUnknown = findings.hasErrors();
  const evaluates = section.eval_usage + section.function_constructor_usage > 0;
  const impact: Confidence = isUnknown || evaluates ? 'high' : section.affected_files.length === 0 ? 'low' : 'medium';
  const isPartial = findings.warned('node_reflection.parse_error') || findings.warned('node_reflection.file_too_large');
  return {
    kind: 'ran',
    slice: { reflection: { ...section, confidence_impact: impact } },
    confidence: isUnknown ? 'low' : isPartial ? 'medium' : 'high',
    ...findings.report(),
  };
}

/** Anything at all was counted in it. */
function isAffected(facts: ReflectionFacts): boolean {
  return Object.values(facts).some((value) => (typeof value === 'number' ? value > 0 : value.length > 0));
}

/** Names that the packages of the repository depend on. */
async function readDependencies(
  repo: ProbeRepo,
  ctx: Pick<ProbeContext<never>, 'parsedManifest'>,
  findings: Findings,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const path of repo.inputs.list(['**/package.json'])) {
    if (isForeignManifest(path)) continue;
    const manifest = await readManifest(repo, ctx, path);
    if (manifest.kind === 'failed') findings.warn('node_reflection.package_json_unparseable', { path });
    if (manifest.kind !== 'read') continue;
    for (const field of ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']) {
      const group = manifest.value[field];
      if (isJsonObject(group)) for (const name of Object.keys(group)) names.add(name);
    }
  }
  return names;
}
