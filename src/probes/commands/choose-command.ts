/** Of all that was found, which command is the one to use for each part and role, and which of them a validation may run. */

import { posix } from 'node:path';
import { type Component, isProduct, isWithin } from '../../gather/facts/fact.ts';
import { compareCodeUnits } from '../../kernel/base/json.ts';
import { shortLine } from '../../kernel/base/text.ts';
import { plainWords } from '../../kernel/formats/shell-words.ts';
import { type CommandRole, isHarmless } from '../shared/command-deeds.ts';
import { listInvocations } from '../shared/shell-commands.ts';
import { hasTestName } from '../shared/source-globs.ts';
import { type CommandRow, type CommandsSection, commandSources } from './commands-section.ts';

export type Candidate = Omit<CommandRow, 'covered_by'> & {
  /** Every part that the command plays. */
  readonly roles: readonly CommandRole[];
  /** How well its name says that it is the one; less is better. */
  readonly fit: number;
  /** What it starts in the end. */
  readonly programs: readonly string[];
  /** Directories of the parts whose own command it runs. */
  readonly reach: readonly string[];
};

type Tree = {
  readonly paths: readonly string[];
  /** Names of what lies in a directory itself. */
  readonly filesIn: (dir: string) => readonly string[];
};

/** Tests by this name want the system, or parts of it, to run. */
export const integrationName = /(?:^|[:_-])(?:integration|acceptance)(?:[:_-]?tests?)?(?:$|[:_-])/;

/** Languages, the programs of their ecosystem, and the manifest that makes a part one of it. */
const tongues: readonly (readonly [RegExp, RegExp, RegExp])[] = [
  [
    /^(?:javascript|typescript)$/,
    /^(?:npm|pnpm|yarn|bun|node|tsx|tsc|vitest|jest|mocha|ava|tap|eslint|oxlint|prettier|biome|stylelint|vite|webpack|turbo|nx|lerna|vp|playwright|cypress)$/,
    /^package\.json$/,
  ],
  [
    /^ruby$/,
    /^(?:bundle|ruby|rspec|parallel_rspec|parallel_test|flatware|turbo_tests|rails|rake|minitest|rubocop|standardrb|haml-lint|erb_?lint|brakeman|srb|steep)$/,
    /^Gemfile$/,
  ],
  [
    /^php$/,
    /^(?:php|composer|phpunit|pest|paratest|phpstan|psalm|phpcs|pint|php-cs-fixer|artisan|mago|rector|codecept)$/,
    /^composer\.json$/,
  ],
  [
    /^python$/,
    /^(?:python3?|pytest|py\.test|unittest|tox|nox|manage|manage\.py|mypy|pyright|ruff|flake8|pylint|black|hatch|pdm|poetry|uv|pip|pre-commit|prek)$/,
    /^(?:pyproject\.toml|setup\.py|requirements.*\.txt|manage\.py|Pipfile)$/,
  ],
  [/^go$/, /^(?:go|gotestsum|ginkgo|golangci-lint|staticcheck|revive|gofmt|gofumpt|mage)$/, /^go\.mod$/],
  [/^rust$/, /^(?:cargo|cross|rustfmt)$/, /^Cargo\.toml$/],
  [
    /^(?:java|kotlin|scala|groovy)$/,
    /^(?:mvnw?|gradlew?|sbt|ktlint|detekt)$/,
    /^(?:pom\.xml|build\.gradle(?:\.kts)?|build\.sbt)$/,
  ],
  [/^(?:csharp|fsharp)$/, /^dotnet$/, /\.(?:slnx?|slnf|csproj|fsproj)$/],
  [/^elixir$/, /^mix$/, /^mix\.exs$/],
];

/** Does it speak of another language than the one that the part is written in? What starts nothing known speaks of none. */
function isOfOtherTongue(
  { component, programs }: Candidate,
  components: ReadonlyMap<string, Component>,
  shop: Tree,
): boolean {
  const language = components.get(component)?.language ?? '';
  const own = tongues.find(([languages]) => languages.test(language));
  if (own === undefined || !shop.filesIn(component).some((name) => own[2].test(name))) return false;
  const known = programs.filter((program) => tongues.some(([, ofTongue]) => ofTongue.test(program)));
  return known.length > 0 && !known.some((program) => own[1].test(program));
}

const ofServer = /\.(?:rb|erb|haml|php|py|go|rs|java|kt|cs|exs?)$/;
const ofJavascript = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;

/** By part, the topmost directory below it that holds nearly all of its JavaScript, and hardly anything else. */
function findScriptSources(wanted: ReadonlySet<string>, parts: readonly Component[], shop: Tree) {
  const known = new Set(parts.map(({ dir }) => dir));
  const counts = new Map<string, { total: number; readonly below: Map<string, { scripts: number; others: number }> }>();
  for (const path of wanted.size === 0 ? [] : shop.paths) {
    const isScript = ofJavascript.test(path);
    if (!isScript && !ofServer.test(path)) continue;
    const above: string[] = [];
    let dir = posix.dirname(path);
    for (; !known.has(dir) && dir !== '.'; dir = posix.dirname(dir)) above.push(dir);
    if (!wanted.has(dir)) continue;
    const held = counts.get(dir) ?? { total: 0, below: new Map() };
    counts.set(dir, held);
    if (isScript) held.total += 1;
    for (const one of above) {
      const count = held.below.get(one) ?? { scripts: 0, others: 0 };
      count[isScript ? 'scripts' : 'others'] += 1;
      held.below.set(one, count);
    }
  }
  return new Map(
    [...counts].flatMap(([part, { total, below }]) => {
      const [first] = [...below]
        .filter(([, { scripts, others }]) => scripts * 10 >= total * 8 && others * 50 < scripts)
        .sort(([a], [b]) => a.length - b.length);
      return first === undefined ? [] : [[part, first[0]] as const];
    }),
  );
}

export function rankCommands(found: readonly Candidate[], parts: readonly Component[], shop: Tree): CommandRow[] {
  const components = new Map(parts.map((one) => [one.dir, one]));
  const foreign = new Set(found.filter((one) => isOfOtherTongue(one, components, shop)));
  // A part in two languages: where the code of the other one lies, its command is the one.
  const ofScripts = [...foreign].filter(({ programs }) =>
    programs.every((name) => tongues[0]?.[1].test(name) === true),
  );
  const sources = findScriptSources(new Set(ofScripts.map(({ component }) => component)), parts, shop);
  const elsewhere = ofScripts.flatMap((one) => {
    const dir = sources.get(one.component);
    return dir === undefined ? [] : [{ ...one, component: dir }];
  });
  const groups = new Map<string, Candidate[]>();
  for (const one of [...found, ...elsewhere]) {
    const key = `${one.component}\0${one.role}`;
    const held = groups.get(key);
    if (held === undefined) {
      groups.set(key, [one]);
      continue;
    }
    // Said in two places, it is as sure as the surer one makes it.
    const same = held.findIndex(({ cmd, cwd }) => cmd === one.cmd && cwd === one.cwd);
    if (same < 0) held.push(one);
    else if (tierOf(one) < tierOf(held[same] as Candidate)) held[same] = one;
  }
  for (const [key, rows] of groups) {
    const [component = '', role = ''] = key.split('\0');
    if (role !== 'format_check') continue;
    // A check of the formatting is the lint where CI or a task has no other.
    const lintKey = `${component}\0lint`;
    const lints = groups.get(lintKey)?.filter(({ source }) => source !== 'convention') ?? [];
    const checks = rows.filter(({ source }) => source === 'ci' || source === 'task');
    if (lints.length === 0 && checks.length > 0)
      groups.set(lintKey, [
        ...checks.map((row) => ({ ...row, role: 'lint' as const, roles: ['lint' as const] })),
        ...(groups.get(lintKey) ?? []),
      ]);
  }
  const ranked = [...groups]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([, rows]) =>
      preferPlain(preferWhole(afterHooks(rows.filter(isFit).sort((a, b) => better(a, b, foreign))), foreign)).slice(
        0,
        maxAlternatives,
      ),
    );
  const firsts = ranked.flatMap(([first]) => first ?? []);
  return ranked.flat().map(({ roles: _, fit: __, programs: ___, reach: ____, ...row }) => ({
    ...row,
    cmd: shortLine(row.cmd, 1_000),
    covered_by: firsts.find((one) => covers(one, row, shop))?.component ?? null,
  }));
}

/** Does the command of a part around it do the same for this part? */
function covers(around: Candidate, { role, component, cmd }: Omit<CommandRow, 'covered_by'>, shop: Tree): boolean {
  if (around.role !== role || around.component === component || !isWithin(component, around.component)) return false;
  if (around.reach.includes(component)) return true;
  const [words = []] = listInvocations(around.cmd);
  const [program] = listInvocations(cmd)[0] ?? [];
  const isSame = program === words[0];
  switch (words[0]) {
    case 'cargo':
      return isSame && words.some((word) => word === '--workspace' || word === '--all');
    case 'uv':
      return isSame && words.includes('--all-packages');
    case 'dotnet':
      return isSame && shop.filesIn(around.component).some((name) => /\.slnx?$/.test(name));
    default:
      return false;
  }
}

const maxAlternatives = 6;

/** A command that does more is no check of the one thing. */
function isFit({ role, roles, cmd }: Candidate): boolean {
  if (role === 'test.unit' && namesOneCase(cmd)) return false;
  if (role === 'lint' || role === 'typecheck' || role === 'format_check')
    return !roles.some((one) => one === 'test.unit' || one === 'test.e2e' || one === 'build' || one === 'start');
  return (role !== 'start' && role !== 'install') || roles.length === 1;
}

const tierOf = ({ source }: Candidate): number => commandSources.indexOf(source);

const isScriptCall = (cmd: string): boolean => /^(?:npm run|pnpm(?: run)?|yarn(?: run)?|bun run) lint$/.test(cmd);

function better(a: Candidate, b: Candidate, foreign: ReadonlySet<Candidate>): number {
  const harm = (one: Candidate) => (one.role === 'test.e2e' || isHarmless(one) ? 0 : 1);
  const mixed = (one: Candidate) => {
    if (one.role === 'test.unit') return one.roles.includes('test.e2e') ? 1 : 0;
    if (one.role === 'test.e2e') return one.roles.includes('test.unit') ? 1 : 0;
    if (one.role === 'format_check') return one.roles.length > 1 ? 1 : 0;
    // What is called so is the lint, whatever else it checks.
    if (one.role === 'lint' && one.fit === 0 && (one.source === 'task' || isScriptCall(one.cmd))) return 0;
    if (one.role === 'lint' || one.role === 'typecheck')
      return one.roles.filter((role) => role !== 'format_check').length > 1 ? 1 : 0;
    return 0;
  };
  const narrow = (one: Candidate) => {
    if (one.role === 'test.e2e') return integrationName.test(one.cmd.replaceAll(' ', ':')) ? 1 : 0;
    if (one.role === 'build') return namesPart(one.cmd) ? 1 : 0;
    return one.role === 'test.unit' && namesFiles(one.cmd) ? 1 : 0;
  };
  // What is run below a part without a manifest is about what lies there.
  const apart = (one: Candidate) => (one.cwd === one.component || !isWithin(one.cwd, one.component) ? 0 : 1);
  // The same tests once more, to see what they reach.
  const measures = (one: Candidate) =>
    one.role === 'test.unit' && /(?:^|\s)(?:coverage run|nyc|c8|--cov(?:erage)?|-coverprofile)(?:[\s=]|$)/.test(one.cmd)
      ? 1
      : 0;
  return (
    harm(a) - harm(b) ||
    Number(foreign.has(a)) - Number(foreign.has(b)) ||
    mixed(a) - mixed(b) ||
    narrow(a) - narrow(b) ||
    apart(a) - apart(b) ||
    tierOf(a) - tierOf(b) ||
    a.fit - b.fit ||
    measures(a) - measures(b)
  );
}

/** Where hooks are set up, they are the check of the repository: what a tool would do by itself comes after, even where hooks mend. */
function afterHooks(rows: readonly Candidate[]): readonly Candidate[] {
  const isHooks = (one: Candidate) =>
    one.role === 'lint' && one.programs.some((name) => /^(?:pre-commit|prek)$/.test(name));
  if (!rows.some(isHooks)) return rows;
  const late = rows.filter((one) => one.source === 'convention' && !isHooks(one));
  return [...rows.filter((one) => !late.includes(one)), ...late];
}

/** A build of one part, or with some of its features: what CI does beside the build. */
function namesPart(cmd: string): boolean {
  const [program, ...words] = listInvocations(cmd)[0] ?? [];
  const options = words.map((word) => word.replace(/=.*$/, ''));
  switch (program) {
    case 'cargo':
    case 'cross':
      return options.some((word) =>
        /^(?:-p|--package|--bin|--example|--features|-F|--no-default-features|--no-run|--benches|--examples)$/.test(
          word,
        ),
      );
    case 'go':
      return words.some((word) => /^\.\/\w/.test(word));
    case 'mvn':
    case 'mvnw':
      return options.some((word) => word === '-pl' || word === '--projects');
    case 'turbo':
    case 'nx':
    case 'lerna':
    case 'pnpm':
    case 'bun':
    case 'yarn':
    case 'npm':
      return words.some((word, at) => {
        const filter = /^(?:--filter|--scope|-F|--workspace|-w)(?:=(.*))?$/.exec(word);
        return filter !== null && !(filter[1] ?? words[at + 1] ?? '').includes('*');
      });
    default:
      return false;
  }
}

/** `build:docs`, `docs-build`: a word beside the one that says what the whole is called, and none that means all of it. */
const partOfBuild = /^(?:build[:_-](.+)|(.+)[:_-]build)$/;
const wholeBuild = /^(?:prod(?:uction)?|release|all|everything|ci|full|packages?|project|app|dev(?:elopment)?)$/;

function isPartOfBuild({ cmd, role }: Candidate): boolean {
  const name = plainWords(cmd).at(-1) ?? '';
  const [, after, before] = partOfBuild.exec(name) ?? [];
  return role === 'build' && name !== cmd && (after ?? before) !== undefined && !wholeBuild.test(after ?? before ?? '');
}

/** Where CI runs the tests in parts, the script that is called `test` is the whole; where it builds a part, the one called `build`. */
function preferWhole(rows: readonly Candidate[], foreign: ReadonlySet<Candidate>): readonly Candidate[] {
  const [first] = rows;
  if (first?.role === 'build' && first.source === 'ci' && isPartOfBuild(first)) {
    const build = rows.find((one) => one.source === 'task' && one.fit === 0 && isHarmless(one) && !foreign.has(one));
    if (build !== undefined) return [build, ...rows.filter((one) => one !== build)];
  }
  const parts = rows.filter((one) => one.source === 'ci' && one.role === 'test.unit' && !namesFiles(one.cmd));
  const whole = rows.find(
    (one) =>
      one.source === 'task' && one.fit === 0 && isHarmless(one) && !one.roles.includes('test.e2e') && !foreign.has(one),
  );
  if (parts.length < 2 || whole === undefined || parts.some(({ fit }) => fit === 0)) return rows;
  return [whole, ...rows.filter((one) => one !== whole)];
}

/** A run of some of the tests: it names files of them, or one case. */
export function namesFiles(cmd: string): boolean {
  const [program = '', ...words] = listInvocations(cmd)[0] ?? [];
  // `python manage.py test`: what an interpreter is given first is the program, unless it is a test by its name.
  const script = /^(?:python[\d.]*|node|ruby|php)$/.test(program)
    ? words.find((word) => !word.startsWith('-'))
    : undefined;
  return words.some(
    (word, at) =>
      word.includes('::') ||
      (/[\w*]\.(?:py|[cm]?[jt]sx?|rb|go|php|rs|exs)$/.test(word) &&
        !word.startsWith('-') &&
        (word !== script || hasTestName(word)) &&
        !/^-/.test(words[at - 1] ?? '') &&
        !/config/.test(word)),
  );
}

/** `cargo test print_hostname`: the cases whose names hold a word. Options before it may have a value of their own. */
function namesOneCase(cmd: string): boolean {
  const [program, verb, ...words] = listInvocations(cmd)[0] ?? [];
  if (!/^(?:cargo|cross)$/.test(program ?? '') || !/^(?:test|t)$/.test(verb ?? '')) return false;
  const end = words.indexOf('--');
  const own = end < 0 ? words : words.slice(0, end);
  return own.some((word, at) => /^\w/.test(word) && !cargoValues.has(own[at - 1] ?? ''));
}

const cargoValues: ReadonlySet<string> = new Set(
  '-p --package --exclude --manifest-path --features -F --target --target-dir --bin --test --bench --example --profile -j --jobs --color --message-format --config -Z'.split(
    ' ',
  ),
);

/** Of several that differ in options, the one without them. */
function preferPlain(rows: readonly Candidate[]): readonly Candidate[] {
  const [first, ...others] = rows;
  if (first === undefined) return rows;
  const words = new Set(plainWords(first.cmd));
  const wide = [...words].filter((word) => /^(?:--workspace|--all|-r|--recursive|\.\/\.\.\.)$/.test(word));
  const plainer = others.find((one) => {
    const its = plainWords(one.cmd);
    return (
      one.source === first.source &&
      one.cwd === first.cwd &&
      its.length > 1 &&
      its.length < words.size &&
      its.every((word) => words.has(word)) &&
      wide.every((word) => its.includes(word))
    );
  });
  return plainer === undefined ? rows : [plainer, ...rows.filter((one) => one !== plainer)];
}

const planned: readonly CommandRole[] = ['install', 'typecheck', 'lint', 'format_check', 'build', 'test.unit'];

export function planValidation(
  commands: readonly CommandRow[],
  components: readonly Component[],
): Pick<CommandsSection, 'plan' | 'left_out'> {
  const steps: CommandsSection['plan'][number][] = [];
  const leftOut: CommandsSection['left_out'][number][] = [];
  const kinds = new Map(components.map((one) => [one.dir, one]));
  for (const component of [...new Set(commands.map((row) => row.component))].sort(compareCodeUnits)) {
    const kind = kinds.get(component);
    if (kind !== undefined && !isProduct(kind)) continue;
    for (const role of planned) {
      const rows = commands.filter((row) => row.component === component && row.role === role);
      const isSafe = (row: CommandRow) => isHarmless(row) && (!row.by_name || row.source === 'ci');
      const safe = rows.find(isSafe);
      // The step of the part around it is in the plan, or was left out for what it does.
      const cover = rows[0]?.covered_by ?? null;
      if (cover !== null && commands.some((row) => row.component === cover && row.role === role)) continue;
      // A check of the formatting that is all the linting there is, is told as what it is.
      const isFormat =
        role === 'lint' &&
        commands.some(
          (row) => row.role === 'format_check' && row.component === component && row.cmd === safe?.cmd && isSafe(row),
        );
      if (safe !== undefined && !isFormat && !steps.some(({ cmd, cwd }) => cmd === safe.cmd && cwd === safe.cwd))
        steps.push({ component, role, cmd: safe.cmd, cwd: safe.cwd, source: safe.path });
      const [harmful] = rows.filter((row) => !isHarmless(row));
      if (harmful !== undefined && safe === undefined)
        leftOut.push({ cmd: harmful.cmd, cwd: harmful.cwd, role, why: harmful.effects.join(', ') });
    }
  }
  // Of a part, the one that would be run: its variants (`--ui`, after a build) are left out for the same reason.
  const told = new Set<string>();
  for (const row of commands) {
    const kind = kinds.get(row.component);
    if (
      row.role !== 'test.e2e' ||
      row.covered_by !== null ||
      told.has(row.component) ||
      (kind !== undefined && !isProduct(kind))
    )
      continue;
    told.add(row.component);
    if (leftOut.some(({ cmd, cwd }) => cmd === row.cmd && cwd === row.cwd)) continue;
    const why = row.effects.length === 0 ? 'needs the running system' : row.effects.join(', ');
    leftOut.push({ cmd: row.cmd, cwd: row.cwd, role: row.role, why });
  }
  return { plan: steps, left_out: leftOut };
}
