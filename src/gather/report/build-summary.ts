/** The first screen of a report: what this repository is, in a dozen facts. A fact that is not known says which probe owes it. */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import { absenceOf, describeAbsence, type EnvelopeView, sectionOf } from './envelope-view.ts';
import { at, countAt, entriesAt, linesAt, listAt, numberAt, textAt } from './loose-json.ts';
import { counted, formatBytes, shortDigest } from './render-values.ts';

export type Fact = { readonly label: string; readonly value: string | null; readonly note: string | null };
export type LanguageShare = { readonly name: string; readonly files: number; readonly bytes: number | null };

export function listFacts(view: EnvelopeView): readonly Fact[] {
  return [
    fact(view, 'Language', 'language_stack', describeLanguage),
    fact(view, 'Frameworks', 'language_stack', (s) => joined(linesAt(s, 'framework_hints')) ?? 'none recognised'),
    buildFact(view),
    fact(view, 'Layout', 'language_stack', (s) => describeLayout(s, sectionOf(view, 'build_system'))),
    fact(view, 'Tests', 'test_inventory', describeTests),
    fact(view, 'CI', 'ci', (s) => textAt(s, 'provider')?.replaceAll('_', ' ') ?? 'none recognised'),
    fact(view, 'Deployment', 'deployment', (s) => joined(linesAt(s, 'types')) ?? textAt(s, 'type')),
    fact(view, 'Base image', 'containerization', describeBaseImage),
    fact(view, 'Image', 'image_build', describeImage),
    { label: 'Task', value: textAt(view.envelope, 'task_context', 'task_type'), note: null },
    fact(view, 'Matching skill', 'organizational.skills', describeSkills),
  ];
}

/** Languages by files, then name; the numbers are the probe's own. */
export function listLanguages(view: EnvelopeView): readonly LanguageShare[] {
  const section = sectionOf(view, 'language_stack');
  return entriesAt(section, 'counts')
    .flatMap(([name, files]) => {
      const count = numberAt(files);
      return count === null || count <= 0 ? [] : [{ name, files: count, bytes: numberAt(section, 'bytes', name) }];
    })
    .sort((a, b) => b.files - a.files || compareCodeUnits(a.name, b.name));
}

function fact(view: EnvelopeView, label: string, section: string, read: (section: unknown) => string | null): Fact {
  const found = sectionOf(view, section);
  if (found === undefined) return { label, value: null, note: describeAbsence(absenceOf(view, section)) };
  const value = read(found);
  return { label, value, note: value === null ? `not in ${section}` : null };
}

function describeLanguage(section: unknown): string | null {
  const primary = textAt(section, 'primary');
  if (primary === null) return at(section, 'primary') === null ? 'no source files' : null;
  const others = linesAt(section, 'secondary').slice(0, 3);
  return others.length === 0 ? primary : `${primary}, with ${others.join(', ')}`;
}

function describeLayout(languages: unknown, build: unknown): string | null {
  const tool = textAt(languages, 'monorepo', 'tool');
  if (tool === null) return at(languages, 'monorepo') === null ? 'single package' : null;
  const workspaces = countAt(build, 'workspaces');
  return workspaces === null ? `monorepo (${tool})` : `monorepo (${tool}), ${workspaces} workspaces`;
}

function buildFact(view: EnvelopeView): Fact {
  const node = fact(view, 'Build', 'build_system', describeBuild);
  if (node.value !== null) return node;
  const ecosystems = new Set(listAt(sectionOf(view, 'manifests'), 'all').flatMap((m) => textAt(m, 'ecosystem') ?? []));
  return ecosystems.size === 0
    ? node
    : { label: 'Build', value: [...ecosystems].sort(compareCodeUnits).join(', '), note: null };
}

function describeBuild(section: unknown): string | null {
  const manager = textAt(section, 'package_manager');
  if (manager === null) return null;
  const version = textAt(section, 'package_manager_version');
  const node = textAt(section, 'node_version_pinned') ?? textAt(section, 'node_version_constraint');
  const bundler = textAt(section, 'bundler');
  const parts = [version === null ? manager : `${manager} ${version}`, bundler, node === null ? null : `Node ${node}`];
  return parts.filter((part) => part !== null).join(' · ');
}

function describeTests(section: unknown): string | null {
  const framework = textAt(section, 'framework') ?? 'no framework recognised';
  const files = numberAt(section, 'unit_test_file_count');
  const cases = numberAt(section, 'test_case_count', 'value');
  const atLeast = textAt(section, 'test_case_count', 'relation') === 'gte' ? '≥ ' : '';
  const coverage = numberAt(section, 'coverage_data', 'line_coverage_pct');
  const parts = [
    framework,
    files === null ? null : counted(files, 'file'),
    cases === null ? null : `${atLeast}${counted(cases, 'case')}`,
    coverage === null ? null : `${coverage} % of lines covered`,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}

function describeBaseImage(section: unknown): string | null {
  const file = at(section, 'dockerfiles', 0);
  const stage = at(file, 'stages', numberAt(file, 'final_stage') ?? 0);
  const base = textAt(stage, 'base_image_resolved') ?? textAt(stage, 'base_image');
  if (base === null) return null;
  const user = textAt(stage, 'user') ?? 'root (no USER)';
  return `${base}${at(stage, 'distroless') === true ? ' (distroless)' : ''} · user ${user}`;
}

function describeImage(section: unknown): string | null {
  const digest = textAt(section, 'built_image_digest');
  if (digest === null) return at(section, 'built_image_digest') === null ? 'not built' : null;
  const size = numberAt(section, 'size_bytes');
  const engine = textAt(section, 'engine');
  return [shortDigest(digest), size === null ? null : formatBytes(size), engine]
    .filter((part) => part !== null)
    .join(' · ');
}

function describeSkills(section: unknown): string | null {
  const skills = at(section, 'skills');
  if (!Array.isArray(skills)) return null;
  const matching = skills.flatMap((skill) => (at(skill, 'applies') === true ? (textAt(skill, 'id') ?? []) : []));
  if (matching.length === 0) return skills.length === 0 ? 'no skills installed' : `none of ${skills.length}`;
  const shown = matching.slice(0, 3).join(', ');
  return matching.length > 3 ? `${shown} and ${matching.length - 3} more` : shown;
}

function joined(names: readonly string[]): string | null {
  return names.length === 0 ? null : names.join(', ');
}
