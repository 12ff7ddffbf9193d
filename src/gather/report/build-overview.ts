/**
 * The first screen of a report, of the terminal and of an agent: what this is, its parts, how it is installed, built, tested, run and deployed,
 * what is risky, and what could not be seen. Every row comes from published facts (gather.md §15).
 * Promise: "none found" is said only where a probe looked; a guess says that it is one; a missing tool is one line at the end.
 */

import { compareCodeUnits } from '../../kernel/base/json.ts';
import { plural, singleLine, truncate } from '../../kernel/base/text.ts';
import { componentKinds, type Fact, isProduct, isWithin, readFacts } from '../facts/fact.ts';
import { listLeftOut } from './build-validation-plan.ts';
import { absenceOf, describeAbsence, type EnvelopeView, recordOf, sectionOf, statusOf } from './envelope-view.ts';
import { entriesAt, linesAt, listAt, numberAt, textAt } from './loose-json.ts';
import { judgeRisks, midSentence } from './risks.ts';

/** `says` is one thing each, the most important first: a narrow surface shows the first and says how many there are more. */
export type OverviewRow = { readonly label: string; readonly says: readonly string[] };
export type LanguageShare = { readonly name: string; readonly files: number; readonly bytes: number | null };

export function listOverview(view: EnvelopeView): readonly OverviewRow[] {
  const known = readKnown(view);
  const rows = [
    row('what', describeWhat(view, known)),
    row('parts', describeParts(view, known)),
    ...(hasCode(view, known)
      ? [
          row('install', describeInstall(view, known)),
          row('build', commandsOr(view, known, 'build.command')),
          row('test', describeTests(view, known)),
          row('check', describeChecks(known)),
          row('run', describeRun(view, known)),
          row('offers', describeOffers(known)),
        ]
      : []),
    row('deploy', describeDeploy(view, known)),
    row('CI', textsOf(known.at('ci.provider'))),
    row('risky', describeRisks(view)),
    row('not seen', describeUnseen(view)),
  ];
  return rows.filter(({ says }) => says.length > 0);
}

/** The rows as one text each, together no longer than `bytes` of JSON: the longest are cut first, and say so. */
export function shortOverview(view: EnvelopeView, bytes: number): Readonly<Record<string, string>> {
  const rows = listOverview(view);
  const write = (chars: number) => Object.fromEntries(rows.map((one) => [one.label, shortRow(one, chars)]));
  for (let chars = bytes; ; chars = Math.floor(chars * 0.9)) {
    const written = write(chars);
    if (chars < 20 || Buffer.byteLength(JSON.stringify(written)) <= bytes) return written;
  }
}

function shortRow({ says }: OverviewRow, chars: number): string {
  const [first = '', ...others] = says.map(singleLine);
  let text = truncate(first, chars);
  for (const [index, other] of others.entries()) {
    const rest = others.length - index;
    if (text.length + other.length + 3 > chars) return `${text} · +${rest} more`;
    text = `${text} · ${other}`;
  }
  return text;
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

export type PartRow = {
  readonly dir: string;
  readonly kind: string;
  /** The kind as it is told: a root without a manifest, around parts that have one, is no package. */
  readonly title: string;
  readonly language: string;
  readonly how: string;
  readonly hasManifest: boolean;
};

/** The parts that the tree consists of, the product's first. */
export function listParts(view: EnvelopeView): readonly PartRow[] {
  const rows = listAt(sectionOf(view, 'components'), 'components').flatMap((one): readonly PartRow[] => {
    const [dir, kind] = [textAt(one, 'dir'), textAt(one, 'kind')];
    if (dir === null || kind === null) return [];
    // A part speaks for what lies below it.
    const language = textAt(listAt(one, 'languages')[0], 'language') ?? textAt(one, 'language') ?? '';
    const hasManifest = linesAt(one, 'manifests').length > 0;
    return [{ dir, kind, title: kind, language, how: textAt(one, 'how') ?? '', hasManifest }];
  });
  const product = rows.filter(({ kind }) => isProductKind(kind));
  const isBare = product.some(({ hasManifest }) => hasManifest);
  const told = product.map((one) =>
    one.dir === '.' && !one.hasManifest && isBare ? { ...one, title: 'repository', how: 'the root of its parts' } : one,
  );
  return [...told, ...rows.filter(({ kind }) => !isProductKind(kind))];
}

/** What others can call or import. */
export function listOffers(view: EnvelopeView): readonly string[] {
  return describeOffers(readKnown(view));
}

/** What a reader of a gather of one component has to know; `directory` is escaped by the caller. */
export function onlyComponent(directory: string): string {
  return `Only ${directory} was looked at, and what governs it from the directories around it: nothing here speaks of the rest of the tree.`;
}

type Part = { readonly kind: string; readonly dir: string };

type Known = {
  readonly parts: readonly Part[];
  /** The fact of the repository itself, or of the component that was gathered. */
  readonly at: (id: string, scope?: string) => Fact | undefined;
  /** Those of the repository and of the parts of the product, the repository's own first. */
  readonly all: (id: string) => readonly Fact[];
};

function readKnown({ envelope }: EnvelopeView): Known {
  const byId = new Map<string, Fact[]>();
  for (const fact of readFacts(envelope)) {
    const own = byId.get(fact.id);
    if (own === undefined) byId.set(fact.id, [fact]);
    else own.push(fact);
  }
  // A gather of one component speaks of that alone.
  const root = textAt(envelope, 'repo', 'component') ?? '.';
  const at: Known['at'] = (id, scope = root) => byId.get(id)?.find((fact) => fact.scope === scope);
  const parts = textsOf(at('components')).flatMap((text): readonly Part[] => {
    const [, kind, dir] = /^(\S+) (.+)$/.exec(text) ?? [];
    return kind === undefined || dir === undefined ? [] : [{ kind, dir }];
  });
  // What the command of a part around it does as well is told once.
  const firsts = new Map<string, unknown>();
  for (const row of listAt(envelope, 'commands', 'commands')) {
    const key = `${textAt(row, 'role')}.command ${textAt(row, 'component')}`;
    if (!firsts.has(key)) firsts.set(key, row);
  }
  const isCovered = (key: string) => textAt(firsts.get(key), 'covered_by') !== null;
  // What is known of other directories (a stack for development, a measurement) is no part of the product.
  const product = new Set(parts.filter(({ kind }) => isProductKind(kind)).map(({ dir }) => dir));
  const isOwn = ({ id, scope }: Fact) => scope === root || (product.has(scope) && !isCovered(`${id} ${scope}`));
  const all: Known['all'] = (id) => {
    const own = (byId.get(id) ?? []).filter((fact) => fact.state === 'known' && isOwn(fact));
    return [...own.filter(({ scope }) => scope === root), ...own.filter(({ scope }) => scope !== root)];
  };
  return { parts, at, all };
}

export function isProductKind(kind: string): boolean {
  const known = componentKinds.find((one) => one === kind);
  return known !== undefined && isProduct({ kind: known });
}

function row(label: string, says: readonly string[]): OverviewRow {
  return { label, says };
}

/** A guess says that it is one; what the evidence shows needs no word. */
function sure({ confidence }: Fact, text: string): string {
  return confidence === 'low' ? `perhaps ${text}` : text;
}

/** What was counted and may be more. */
function counted(fact: Fact, text: string): string {
  return /^\w+: at least\b/.test(fact.how) ? `at least ${text}` : sure(fact, text);
}

function textsOf(fact: Fact | undefined): readonly string[] {
  if (fact?.state !== 'known') return [];
  const { value } = fact;
  const list = Array.isArray(value) ? value : [value];
  return list.flatMap((item) => (typeof item === 'string' || typeof item === 'number' ? [String(item)] : []));
}

function hasCode(view: EnvelopeView, known: Known): boolean {
  return (
    known.parts.length > 0 ||
    known.at('language.primary')?.state === 'known' ||
    sectionOf(view, 'components') === undefined ||
    known.all('install.command').length + known.all('build.command').length > 0
  );
}

function describeWhat(view: EnvelopeView, known: Known): readonly string[] {
  const primary = known.at('language.primary');
  const [language] = textsOf(primary);
  const others = tellingLanguages(view, known);
  const frameworks = known.at('framework.production');
  const managers = managersOf(known);
  const says = [
    language === undefined || primary === undefined
      ? describeFiles(view)
      : sure(primary, others.length === 0 ? language : `${language}, with ${firstOf(others, 4)}`),
  ];
  if (frameworks?.state === 'known') says.push(sure(frameworks, firstOf(textsOf(frameworks), 6)));
  if (managers.length > 0) says.push(managers.join(', '));
  says.push(...textsOf(known.at('licence')).map((licence) => `licence ${licence}`));
  return says;
}

/** A Makefile, a Dockerfile or the formula of a package manager is no language that a repository is written in. */
function tellingLanguages(view: EnvelopeView, known: Known): readonly string[] {
  const names = textsOf(known.at('language.secondary'));
  const rows = listAt(sectionOf(view, 'components'), 'components');
  const root = textAt(view.envelope, 'repo', 'component') ?? '.';
  const sizes = listAt(
    rows.find((one) => textAt(one, 'dir') === root),
    'languages',
  ).map((one) => numberAt(one, 'bytes') ?? 0);
  const whole = sizes.reduce((sum, bytes) => sum + bytes, 0);
  // The section lists them as the facts do, the primary first.
  const isTelling = (at: number) => sizes.length !== names.length + 1 || (sizes[at + 1] ?? 0) * 100 >= whole;
  return names.filter((name, at) => name !== 'Makefile' && name !== 'Dockerfile' && isTelling(at));
}

/** Without code, or where nothing looked for the parts that have some: what is there. */
function describeFiles(view: EnvelopeView): string {
  const absence = sectionOf(view, 'language_stack') === undefined ? absenceOf(view, 'language_stack') : undefined;
  if (absence !== undefined) return `language not known: ${describeAbsence(absence)}`;
  // The probe's inputs are all names in scope.
  const total = numberAt(recordOf(view, 'language_detection'), 'inputs', 'files');
  if (total === 0) return 'no files';
  const named = listLanguages(view).map(({ name, files }) => `${files} ${name}`);
  const all = total === null ? '' : `: ${plural(total, 'file')}`;
  const names = named.length === 0 ? '' : ` (${firstOf(named, 4)})`;
  if (sectionOf(view, 'components') === undefined) return `${total === null ? 'files' : plural(total, 'file')}${names}`;
  return `no source code${all}${names}`;
}

function managersOf(known: Known): readonly string[] {
  const names = known.all('package_manager').flatMap(({ value }) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      const [name, version] = [textAt(value, 'name'), textAt(value, 'version')];
      return name === null ? [] : [version === null ? name : `${name} ${version}`];
    }
    return linesAt(Array.isArray(value) ? value : [value]);
  });
  const bare = (name: string) => name.split(' ')[0];
  return names.filter((name, index) => names.findIndex((other) => bare(other) === bare(name)) === index);
}

/** Kinds as people say them: one, and several. */
const kindWords: Readonly<Record<string, readonly [string, string]>> = {
  library: ['library', 'libraries'],
  cli: ['command-line tool', 'command-line tools'],
  docs: ['documentation', 'documentation'],
  infrastructure: ['infrastructure', 'infrastructure'],
  vendored: ['vendored code', 'vendored code'],
  generated: ['generated code', 'generated code'],
  test: ['part of tests', 'parts of tests'],
};

function kindWord(kind: string, count: number): string {
  const [one, several] = kindWords[kind] ?? [kind, `${kind}s`];
  if (one === several) return one;
  return count === 1 ? one : `${count} ${several}`;
}

/** One entry a kind of the product; the rest of the tree is counted. */
function describeParts(view: EnvelopeView, known: Known): readonly string[] {
  const { parts } = known;
  if (parts.length === 0) return [];
  const kinds = [...new Set(parts.map(({ kind }) => kind))];
  const product = kinds.filter(isProductKind).flatMap((kind): readonly string[] => {
    const own = parts.filter((part) => part.kind === kind && part.dir !== '.');
    if (own.length === 0) return [];
    const languages = own.map(({ dir }) => textsOf(known.at('language.primary', dir))[0]);
    const isSame = own.length > 1 && new Set(languages).size === 1 && languages[0] !== undefined;
    const named = own.map(({ dir }, index) =>
      isSame || languages[index] === undefined ? dir : `${dir} (${languages[index]})`,
    );
    return [`${kindWord(kind, own.length)}${isSame ? ` in ${languages[0]}` : ''}: ${named.join(', ')}`];
  });
  const root = parts.find(({ dir, kind }) => dir === '.' && isProductKind(kind));
  const besides = describeBesides(view, parts);
  const rootWord = root === undefined ? [] : [product.length === 0 ? 'one' : 'the root is a', kindWord(root.kind, 1)];
  return [
    ...(rootWord.length === 0 ? [] : [rootWord.join(' ')]),
    ...product,
    ...(besides.length === 0 ? [] : [`beside it: ${besides.join(', ')}`]),
  ];
}

/** What is none of the product: counted where each has a manifest, and named where it is a folder of them. */
function describeBesides(view: EnvelopeView, parts: readonly Part[]): readonly string[] {
  const listed = listParts(view);
  const rows = (listed.length > 0 ? listed : parts.map(({ kind, dir }) => ({ kind, dir, hasManifest: true }))).filter(
    ({ kind, dir }) => !isProductKind(kind) && !dir.startsWith('.'),
  );
  return [...new Set(rows.map(({ kind }) => kind))].map((kind) => {
    const own = rows.filter((one) => one.kind === kind);
    const counted = own.filter(({ hasManifest }) => hasManifest);
    // A folder around those that are counted adds none, but for tests, which lie in it themselves.
    const isFolder = ({ dir, hasManifest }: (typeof own)[number]) =>
      !hasManifest && (kind === 'test' || !counted.some((one) => isWithin(one.dir, dir)));
    const word = folderWords[kind] ?? kindWord(kind, 1);
    const count = counted.length === 1 ? `one ${kindWord(kind, 1)}` : kindWord(kind, counted.length);
    if (kindWord(kind, 2) === kindWord(kind, 1) || counted.length === 0) return word;
    if (own.some(isFolder)) return kind === 'test' ? word : `at least ${count}`;
    return count;
  });
}

/** A folder does not say how many things it holds. */
const folderWords: Readonly<Record<string, string>> = { example: 'examples', benchmark: 'benchmarks', test: 'tests' };

function firstOf(names: readonly string[], count: number): string {
  const rest = names.length - count;
  return rest > 0 ? `${names.slice(0, count).join(', ')} and ${rest} more` : names.join(', ');
}

/** Commands of the repository itself; else those of the parts, equal ones told once with where they are run. */
function commandsOf(known: Known, id: string): readonly string[] {
  const places = new Map<string, { readonly fact: Fact; readonly dirs: string[] }>();
  for (const fact of known.all(id)) {
    const [cmd, cwd] = [textAt(fact.value, 'cmd'), textAt(fact.value, 'cwd')];
    if (cmd === null || cwd === null) continue;
    const held = places.get(cmd);
    if (held === undefined) places.set(cmd, { fact, dirs: [cwd] });
    else if (!held.dirs.includes(cwd)) held.dirs.push(cwd);
  }
  return [...places].map(([cmd, { fact, dirs }]) => {
    const below = dirs.filter((dir) => dir !== '.');
    const also = below.length < dirs.length && below.length > 0 ? 'also ' : '';
    return `${sure(fact, cmd)}${harmOf(fact)}${below.length === 0 ? '' : ` (${also}in ${firstOf(below, 3)})`}`;
  });
}

/** What a command does to the world, from how it is known. */
function harmOf({ how }: Fact): string {
  const [, effects = ''] = /;([^;]*)$/.exec(how) ?? [];
  const harm = effects.split(',').filter((effect) => /^\s*(?:publishes|pushes|deploys|deletes)$/.test(effect));
  return harm.length === 0 ? '' : ` [${harm.map((effect) => effect.trim()).join(', ')}]`;
}

function commandsOr(view: EnvelopeView, known: Known, id: string): readonly string[] {
  const found = commandsOf(known, id);
  return found.length > 0 ? found : [noneFound(view, 'commands')];
}

function noneFound(view: EnvelopeView, section: string): string {
  return sectionOf(view, section) === undefined
    ? `not known: ${describeAbsence(absenceOf(view, section))}`
    : 'none found';
}

/** Toolchains that bring what a build needs while they build. */
const bringAlong = new Set(['go modules', 'cargo', 'maven', 'gradle', 'nuget']);

function describeInstall(view: EnvelopeView, known: Known): readonly string[] {
  const managers = managersOf(known).map((manager) => manager.replace(/ \d.*$/, ''));
  const isNoStep = managers.length > 0 && managers.every((manager) => bringAlong.has(manager));
  const found = commandsOf(known, 'install.command');
  if (found.length === 0 && isNoStep)
    return [
      `no step of its own: ${managers.join(', ')} ${managers.length === 1 ? 'brings' : 'bring'} what a build needs`,
    ];
  return found.length > 0 ? found : [noneFound(view, 'commands')];
}

function describeTests(view: EnvelopeView, known: Known): readonly string[] {
  const e2e = commandsOf(known, 'test.e2e.command').map((command) => `end to end: ${command}`);
  const [files] = textsOf(known.at('test.files'));
  const cases = known.at('test.cases');
  const counts = [
    ...(files === undefined ? [] : [plural(Number(files), 'file')]),
    ...textsOf(cases).map((count) => counted(cases as Fact, plural(Number(count), 'case'))),
  ];
  const frameworks = textsOf(known.at('test.framework'));
  const inventory = [...(frameworks.length === 0 ? [] : [firstOf(frameworks, 4)]), ...counts];
  return [
    ...commandsOr(view, known, 'test.unit.command'),
    ...e2e,
    ...(inventory.length === 0 ? [] : [inventory.join(', ')]),
  ];
}

const checks = [
  ['lint', 'lint.command'],
  ['types', 'typecheck.command'],
  ['format', 'format_check.command'],
] as const;

/** A check of the formatting is told as one, also where it is all the linting there is. */
function describeChecks(known: Known): readonly string[] {
  const formats = new Set(commandsOf(known, 'format_check.command'));
  return checks.flatMap(([what, id]) =>
    commandsOf(known, id).flatMap((command) =>
      what !== 'format' && formats.has(command) ? [] : [`${what}: ${command}`],
    ),
  );
}

function describeRun(view: EnvelopeView, known: Known): readonly string[] {
  const starts = commandsOf(known, 'start.command');
  const entries = [...new Set(known.all('entrypoint.production').flatMap(textsOf))];
  const begins = entries.length === 0 ? [] : [`begins in ${firstOf(entries, 3)}`];
  if (starts.length + begins.length > 0) return [...starts, ...begins];
  // What is only imported is not run.
  const isProgram =
    known.parts.some(({ kind }) => kind === 'app' || kind === 'service' || kind === 'cli') ||
    known.at('deploy.kind')?.state === 'known' ||
    known.at('docker.images')?.state === 'known';
  return isProgram ? [noneFound(view, 'commands')] : [];
}

function describeOffers(known: Known): readonly string[] {
  const says: string[] = [];
  const of = (scope: string) => {
    const fact = known.at('contract.surface', scope);
    return fact?.state === 'known' ? fact : undefined;
  };
  const http = of('http');
  if (http !== undefined) {
    const count = Array.isArray(http.value) ? http.value.length : numberAt(http.value);
    if (count !== null) says.push(counted(http, plural(count, 'HTTP route')));
  }
  // P2: a framework whose routes are not read serves them all the same.
  const unread = known.at('contract.surface', 'http');
  if (unread?.state === 'unknown') says.push(`HTTP, not known what: ${unread.how.replace(/^\w+: /, '')}`);
  const graphql = of('graphql');
  if (graphql !== undefined) {
    const fields = (['queries', 'mutations', 'subscriptions'] as const).flatMap((kind) => {
      const count = numberAt(graphql.value, kind) ?? 0;
      return count === 0 ? [] : [`${count} ${kind}`];
    });
    says.push(`GraphQL: ${fields.join(', ')}`);
  }
  const procedures = numberAt(of('trpc')?.value);
  if (procedures !== null) says.push(plural(procedures, 'tRPC procedure'));
  const grpc = of('grpc');
  const [services, methods] = [numberAt(grpc?.value, 'services'), numberAt(grpc?.value, 'methods')];
  if (services !== null && methods !== null)
    says.push(`${plural(methods, 'gRPC method')} in ${plural(services, 'service')}`);
  const documents = textsOf(of('openapi'));
  if (documents.length > 0) says.push(`OpenAPI ${firstOf(documents, 2)}`);
  const events = textsOf(of('asyncapi'));
  if (events.length > 0) says.push(`AsyncAPI ${firstOf(events, 2)}`);
  const commands = textsOf(of('bin'));
  if (commands.length > 0) says.push(`${commands.length === 1 ? 'command' : 'commands'} ${firstOf(commands, 5)}`);
  // A program has a main file, too; that is not imported.
  const programs = new Set(
    known.parts.filter(({ kind }) => kind === 'service' || kind === 'app').map(({ dir }) => dir),
  );
  const entries = known.all('public_api.entry').filter(({ scope }) => !programs.has(scope));
  const imports = [...new Set(entries.flatMap(textsOf))];
  if (imports.length > 0) says.push(`imported from ${firstOf(imports, 3)}`);
  return says;
}

function describeDeploy(view: EnvelopeView, known: Known): readonly string[] {
  const kinds = textsOf(known.at('deploy.kind'));
  const images = textsOf(known.at('docker.images'));
  const services = textsOf(known.at('services'));
  const says = kinds.length === 0 ? [] : [kinds.join(', ')];
  if (services.length > 1) says.push(`${services.length} services: ${firstOf(services.map(nameOfService), 12)}`);
  const described = images.map((path) => describeImage(known, path));
  const shown =
    images.length > 3 ? [`${images.length} images: ${described.join(', ')}`] : described.map((one) => `image ${one}`);
  if (says.length + shown.length > 0) return [...says, ...shown];
  const hasNone = known.at('deploy.kind')?.state === 'none' || known.at('docker.images')?.state === 'none';
  return hasCode(view, known) && hasNone ? ['none found'] : [];
}

function nameOfService(service: string): string {
  return service.split('@')[0] ?? service;
}

function describeImage(known: Known, path: string): string {
  const [base] = textsOf(known.at('docker.final_base', path));
  const user = known.at('docker.user', path);
  const [name] = textsOf(user);
  const parts = [
    ...(base === undefined ? [] : [`on ${base.replace(/@sha256:[0-9a-f]+$/, '')}`]),
    ...(name !== undefined ? [`user ${name}`] : user?.state === 'none' ? ['no USER'] : []),
  ];
  return parts.length === 0 ? path : `${path} (${parts.join(', ')})`;
}

const harms: Readonly<Record<string, string>> = {
  writes: 'changes files',
  publishes: 'publishes',
  pushes: 'pushes',
  deploys: 'deploys',
  deletes: 'deletes',
};
const harmfulShown = 3;

/** Alarms, and commands that are not proposed because of what they do. */
function describeRisks(view: EnvelopeView): readonly string[] {
  const alarms = judgeRisks(view).raised.map(({ title, detail, items: [first] }) => {
    return `${midSentence(title)}: ${detail}${first === undefined ? '' : `, first ${first}`}`;
  });
  const harmful = listLeftOut(view).flatMap((one) => {
    const [cmd, why] = [textAt(one, 'cmd'), textAt(one, 'why')];
    const does = (why ?? '').split(', ').flatMap((effect) => harms[effect] ?? []);
    return cmd === null || does.length === 0 ? [] : [`\`${cmd}\` ${does.join(' and ')}`];
  });
  const told = [...new Set(harmful)];
  const rest = told.length - harmfulShown;
  return [
    ...alarms,
    ...told.slice(0, harmfulShown),
    ...(rest > 0 ? [`${plural(rest, 'more command', 'more commands')} like that`] : []),
  ];
}

/** Failures first; what an optional tool would have looked at is one entry, the last. */
function describeUnseen(view: EnvelopeView): readonly string[] {
  const failures = listAt(view.envelope, 'probe_failures').flatMap((failure) => {
    const probe = textAt(failure, 'probe');
    const why = textAt(failure, 'reason') ?? linesAt(failure, 'errors')[0] ?? null;
    const status = textAt(failure, 'status') ?? 'failed';
    return probe === null ? [] : [`${probe} ${status.replaceAll('_', ' ')}${why === null ? '' : ` (${why})`}`];
  });
  const asked = new Set(failures.map((text) => text.split(' ')[0]));
  const lacking = listAt(view.envelope, 'not_looked').filter((one) => !asked.has(textAt(one, 'probe') ?? ''));
  const tools = [...new Set(lacking.flatMap((one) => linesAt(one, 'tools')))];
  const others = lacking.flatMap((one) => {
    const [probe, reason] = [textAt(one, 'probe'), textAt(one, 'reason')];
    return probe === null || linesAt(one, 'tools').length > 0 || reason === 'upstream_unavailable' ? [] : [probe];
  });
  // What is told of the whole is not unseen for the sake of one directory.
  const facts = readFacts(view.envelope);
  const told = new Set(facts.flatMap(({ id, scope, state }) => (state === 'known' && scope === '.' ? [id] : [])));
  const unknown = facts.filter(({ id, state }) => state === 'unknown' && !told.has(id));
  const unknowns = [...new Set(unknown.map(({ id }) => id))];
  const pending = view.probeNames.filter((name) => statusOf(view, name) === 'pending');
  return [
    ...failures,
    ...(pending.length === 0
      ? []
      : [`not finished when this was published: ${pending.join(', ')} (gather again to go on)`]),
    ...scopeGaps(view),
    ...(unknowns.length === 0 ? [] : [`looked at and not understood: ${firstOf(unknowns, 3)}`]),
    ...(others.length === 0 ? [] : [`${others.join(', ')} could not look`]),
    ...(tools.length === 0
      ? []
      : [`optional tools that are not installed: ${tools.join(', ')} (codegenie doctor says how)`]),
  ];
}

function scopeGaps({ envelope }: EnvelopeView): readonly string[] {
  return listAt(envelope, 'warnings').flatMap((warning) =>
    textAt(warning, 'id') === 'repo.scope_gaps' ? (textAt(warning, 'detail') ?? []) : [],
  );
}
