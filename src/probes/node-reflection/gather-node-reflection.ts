/** The run of node_reflection: counts of every file, summed, and what they mean for static reasoning. */

import type { Confidence, ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { compareCodeUnits, isJsonObject } from '../../kernel/base/json.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { isForeignManifest } from '../../kernel/tree/file-roles.ts';
import { checkGrammars } from '../../languages/parsing/grammar-pins.ts';
import { createFindings, type Findings, readManifest } from '../shared/probe-reading.ts';
import { type CheckGrammars, grammarsOf, listSources, parseSources } from '../shared/sources.ts';
import { reflectionSourceGlobs } from './node-reflection-section.ts';
import type { DecoratorFact, ReflectionFacts } from './reflective-code.ts';

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

// Whose decorators a repository uses: of three frameworks by the module they come from, of others, or its own.

type DecoratorUsage = {
  readonly nestjs: boolean;
  readonly typeorm: boolean;
  readonly class_validator: boolean;
  readonly custom_decorators_detected: number;
};

const frameworks = {
  nestjs: {
    module: /^@nestjs\//,
    packages: ['@nestjs/common', '@nestjs/core'],
    names: /^(?:Controller|Injectable|Module|Inject|Get|Post|Put|Patch|Delete|Body|Param|Query|UseGuards|UsePipes)$/,
  },
  typeorm: {
    module: /^typeorm(?:\/|$)/,
    packages: ['typeorm'],
    names:
      /^(?:Entity|Column|PrimaryColumn|PrimaryGeneratedColumn|OneToMany|ManyToOne|ManyToMany|OneToOne|JoinColumn)$/,
  },
  class_validator: {
    module: /^class-validator(?:\/|$)/,
    packages: ['class-validator'],
    names: /^(?:Is[A-Z]\w*|Min|Max|MinLength|MaxLength|ValidateNested|Matches|Length)$/,
  },
} as const;
type Framework = keyof typeof frameworks;

function summariseDecorators(decorators: readonly DecoratorFact[], dependencies: ReadonlySet<string>): DecoratorUsage {
  const used = new Set<Framework>();
  let custom = 0;
  for (const decorator of decorators) {
    const framework = findFramework(decorator, dependencies);
    if (framework !== undefined) used.add(framework);
    else if (decorator.module === null || !dependencies.has(packageOf(decorator.module))) custom += 1;
  }
  return {
    nestjs: used.has('nestjs'),
    typeorm: used.has('typeorm'),
    class_validator: used.has('class_validator'),
    custom_decorators_detected: custom,
  };
}

/** By module; where it comes through a file of the repository, by its name, if the repository depends on the framework. */
function findFramework({ name, module }: DecoratorFact, dependencies: ReadonlySet<string>): Framework | undefined {
  const names = Object.keys(frameworks) as Framework[];
  const byModule = module === null ? undefined : names.find((each) => frameworks[each].module.test(module));
  if (byModule !== undefined || (module !== null && dependencies.has(packageOf(module)))) return byModule;
  return names.find(
    (each) => frameworks[each].names.test(name) && frameworks[each].packages.some((known) => dependencies.has(known)),
  );
}

function packageOf(module: string): string {
  const [scope = '', name] = module.split('/');
  return scope.startsWith('@') && name !== undefined ? `${scope}/${name}` : scope;
}

// A look at the bytes that spares files the parse: where none of this is written, nothing can be counted. Generous on purpose: what
// only looks like code costs a parse, what is missed costs the truth.

const hints =
  /\beval\b|\bFunction\b|\brequire\s*\(|\bimport\s*\(|\bprototype\b|__proto__|setPrototypeOf|@[\w$(\x80-\xff]|\.\s*use\s*\(|\bconsumer\b|\bprocess\b|import\.meta/;
/** A bracket behind a value, unless it holds nothing or a plain literal. */
const subscript = /[\w$)\]}!?.`'"/\x80-\xff]\s*\[(?!\s*(?:\]|'[^'\n\\]*'\s*\]|"[^"\n\\]*"\s*\]|\d+\s*\]))/;

export function mayReflect(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return hints.test(text) || subscript.test(text);
}

/** Declarations say what there is; nothing in them runs. */
export function isDeclarationFile(path: string): boolean {
  return /\.d(?:\.[^/]*)?\.[cm]?ts$/.test(path);
}
