/** Who feels a change here: workspace modules that depend on others, files that many import, services that call this one. */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import { isTestFile } from '../../kernel/tree/file-roles.ts';
import { isWithin } from '../facts/fact.ts';
import { isProductKind, listOffers, listParts } from './build-overview.ts';
import { absenceOf, describeAbsence, type EnvelopeView, isNothingToSee, sectionOf } from './envelope-view.ts';
import { linesAt, listAt, numberAt, textAt } from './loose-json.ts';

type Dependents = { readonly name: string; readonly count: number; readonly dependents: readonly string[] };
type ServiceEdge = { readonly from: string; readonly to: string; readonly via: string };

/** `null` for a part whose section is missing: `missing` says why. */
export type BlastRadius = {
  readonly modules: readonly Dependents[] | null;
  readonly files: readonly Dependents[] | null;
  readonly consumers: readonly ServiceEdge[] | null;
  /** `3 HTTP routes`: what others may call or import. */
  readonly surface: readonly string[] | null;
  readonly missing: readonly { readonly part: string; readonly because: string }[];
};

const SHOWN = 15;
const FILES_SHOWN = 10;

export function buildBlastRadius(view: EnvelopeView): BlastRadius {
  const missing: { part: string; because: string }[] = [];
  const part = <T>(name: string, section: string, read: (section: unknown) => T): T | null => {
    const found = sectionOf(view, section);
    if (found !== undefined && found !== null) return read(found);
    const absence = absenceOf(view, section);
    // What has nothing to look at here is nothing to tell.
    const isNothing = found === null || (absence.status === 'skipped' && isNothingToSee(absence.reason));
    if (!isNothing) missing.push({ part: name, because: describeAbsence(absence) });
    return null;
  };
  return {
    // A package alone has no dependents in its workspace, and that is nothing to tell.
    modules: part('workspace dependents', 'build_graph', (section) =>
      listAt(section, 'modules').length < 2 ? null : readModules(section),
    ),
    files: part('import fan-in', 'import_graph', (section) => {
      const unread = unreadLanguage(view, section);
      if (unread !== null) missing.push({ part: 'import fan-in', because: `imports of ${unread} are not read` });
      return unread === null ? readFanIn(section, view) : null;
    }),
    // Where one service stands alone, that nothing calls it inside the repository is nothing to tell.
    consumers: part('service consumers', 'service_topology', (section) => {
      const edges = readEdges(section);
      return edges.length === 0 && listAt(section, 'services').length < 2 ? null : edges;
    }),
    surface: part('public surface', 'inter_service', () => listOffers(view)),
    missing,
  };
}

function readModules(section: unknown): readonly Dependents[] {
  const modules = listAt(section, 'modules').flatMap((module) => {
    const name = textAt(module, 'name');
    const dependents = linesAt(module, 'depended_on_by');
    return name === null || dependents.length === 0 ? [] : [{ name, count: dependents.length, dependents }];
  });
  return modules.sort(byCount).slice(0, SHOWN);
}

/** P2: the language that most of the code is in, where no grammar looked for its imports. */
function unreadLanguage(view: EnvelopeView, section: unknown): string | null {
  const primary = textAt(sectionOf(view, 'language_stack'), 'primary');
  const read = listAt(section, 'grammar_versions').flatMap((grammar) => textAt(grammar, 'name') ?? []);
  return primary === null || read.length === 0 || read.includes(primary) ? null : primary;
}

/** Of the product: a helper of tests or a piece of an example is no place where a change reaches far. */
function readFanIn(section: unknown, view: EnvelopeView): readonly Dependents[] {
  const parts = listParts(view);
  const isOwn = (path: string) => {
    const around = parts.filter(({ dir }) => isWithin(path, dir));
    const deepest = around.sort((a, b) => b.dir.length - a.dir.length)[0];
    return !isTestFile(path) && !testHelpers.test(path) && (deepest === undefined || isProductKind(deepest.kind));
  };
  const files = listAt(section, 'top_fan_in').flatMap((entry) => {
    const name = textAt(entry, 'path');
    const count = numberAt(entry, 'importers');
    return name === null || count === null || !isOwn(name) ? [] : [{ name, count, dependents: [] }];
  });
  return files.sort(byCount).slice(0, FILES_SHOWN);
}

const testHelpers = /(?:^|\/)(?:__tests__|__mocks__|testdata)\//;

function byCount(a: Dependents, b: Dependents): number {
  return b.count - a.count || compareCodeUnits(a.name, b.name);
}

function readEdges(section: unknown): readonly ServiceEdge[] {
  // One call is often declared in several files.
  const edges = new Map<string, ServiceEdge>();
  for (const edge of listAt(section, 'edges')) {
    const [from, to, via] = [textAt(edge, 'from'), textAt(edge, 'to'), textAt(edge, 'via') ?? 'declared'];
    if (from !== null && to !== null) edges.set(`${from}\0${to}\0${via}`, { from, to, via });
  }
  return [...edges.values()].slice(0, SHOWN * 2);
}
