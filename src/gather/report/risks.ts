/**
 * The risk flags as data (gather.md §9), and the weighing of their answers. A rule reads one section, which exists when it is asked;
 * "clear" is said only of a section whose probe is `ok` and not of low confidence, so no rule can mistake missing data for the absence of
 * a risk: what was not looked at properly is listed as not judged (P2).
 */

import { componentKinds, isProduct, isWithin, readFacts } from '../facts/fact.ts';
import { absenceOf, describeAbsence, type EnvelopeView, isNothingToSee, recordOf, sectionOf } from './envelope-view.ts';
import { at, countAt, linesAt, listAt, numberAt, textAt } from './loose-json.ts';

type RaisedRisk = Pick<RiskRule, 'id' | 'title' | 'says' | 'severity' | 'section'> & {
  readonly detail: string;
  readonly items: readonly string[];
  /** All of them, where the risk lies in files; `items` are for a reader. */
  readonly places: readonly RiskPlace[];
};
type RiskPlace = { readonly path: string; readonly line: number | null; readonly what: string | null };
type UnjudgedRisk = { readonly id: string; readonly title: string; readonly because: string };
export type Risks = {
  readonly raised: readonly RaisedRisk[];
  readonly unjudged: readonly UnjudgedRisk[];
  readonly clear: readonly { readonly id: string; readonly title: string }[];
  readonly notApplicable: readonly UnjudgedRisk[];
};

export function judgeRisks(view: EnvelopeView, rules: readonly RiskRule[] = riskRules): Risks {
  const raised: RaisedRisk[] = [];
  const unjudged: UnjudgedRisk[] = [];
  const clear: { id: string; title: string }[] = [];
  const notApplicable: UnjudgedRisk[] = [];
  for (const rule of rules) {
    const named = { id: rule.id, title: rule.title };
    const bearer = rule.bearer?.(view) ?? null;
    // What is said of an image for development is nothing about the product.
    if (sectionOf(view, rule.section) === undefined || (rule.bearer === noImage && bearer !== null)) {
      const absence = absenceOf(view, rule.section);
      const isUnbuilt =
        rule.bearer === noImage &&
        absence.status === 'skipped' &&
        (isNothingToSee(absence.reason) || absence.reason === 'upstream_unavailable');
      const because = isUnbuilt ? 'no image was built to look into' : describeAbsence(absence);
      if (bearer === null) unjudged.push({ ...named, because });
      else notApplicable.push({ ...named, because: bearer });
      continue;
    }
    const verdict = rule.test(view.envelope, view);
    if (verdict.kind === 'raised') {
      const { id, title, says, severity, section } = rule;
      const { detail, items, places = [] } = verdict;
      raised.push({ id, title, says, severity, section, detail, items, places });
    } else if (verdict.kind === 'unknown') unjudged.push({ ...named, because: verdict.because });
    else if (verdict.kind === 'does_not_apply') notApplicable.push({ ...named, because: verdict.because });
    else {
      const doubt = doubtAbout(view, rule.section, verdict.isSure === true);
      if (doubt === null) clear.push(named);
      else unjudged.push({ ...named, because: doubt });
    }
  }
  return { raised, unjudged, clear, notApplicable };
}

/** A title inside a sentence; names keep their capitals. */
export function midSentence(title: string): string {
  return title.charAt(0).toLowerCase() + title.slice(1);
}

function doubtAbout(view: EnvelopeView, section: string, isSure: boolean): string | null {
  const absence = absenceOf(view, section);
  if (absence.status !== 'ok') return describeAbsence(absence);
  if (isSure) return null;
  const confidence = absence.probe === null ? null : textAt(recordOf(view, absence.probe), 'confidence');
  return confidence === 'high' || confidence === 'medium'
    ? null
    : `${absence.probe} has ${confidence ?? 'no'} confidence`;
}

type RiskVerdict =
  | ({ readonly kind: 'raised' } & Pick<RaisedRisk, 'detail' | 'items'> & Partial<Pick<RaisedRisk, 'places'>>)
  /** Sure: what the probe could not look at is nothing that this repository has. */
  | { readonly kind: 'clear'; readonly isSure?: true }
  /** A probe looked, and what could carry the risk is not here. */
  | { readonly kind: 'does_not_apply'; readonly because: string }
  | { readonly kind: 'unknown'; readonly because: string };

type RiskRule = {
  readonly id: string;
  readonly title: string;
  /** Why a person should care. */
  readonly says: string;
  readonly severity: 'high' | 'medium';
  /** The section the rule reads. */
  readonly section: string;
  /** Without the section: what was looked for and is not here, so that the risk cannot be; null where that is not known (P2). */
  readonly bearer?: (view: EnvelopeView) => string | null;
  readonly test: (envelope: unknown, view: EnvelopeView) => RiskVerdict;
};

const clear: RiskVerdict = { kind: 'clear' };

function doesNotApply(because: string): RiskVerdict {
  return { kind: 'does_not_apply', because };
}

/** The probe found none of its inputs. */
function nothingThere(section: string, because: string): (view: EnvelopeView) => string | null {
  return (view) => {
    const { status, reason } = absenceOf(view, section);
    return status === 'skipped' && isNothingToSee(reason) ? because : null;
  };
}

/** That nothing was built says nothing about an image; that there is nothing to build one from does. */
function noImage(view: EnvelopeView): string | null {
  const files = listAt(sectionOf(view, 'containerization'), 'dockerfiles');
  if (files.length > 0 && files.every((file) => !/^(?:product)?$/.test(textAt(file, 'place') ?? '')))
    return 'no image of the product is built here';
  const { status, reason } = absenceOf(view, 'containerization');
  return status === 'skipped' && reason === 'not_applicable' ? 'there is no Dockerfile' : null;
}

/** Languages in which code from strings is looked for. */
const evalLanguages = ['JavaScript', 'TypeScript', 'Python', 'PHP', 'Ruby', 'Go'];

export const riskRules: readonly RiskRule[] = [
  {
    id: 'leaked_secrets',
    title: 'Leaked secrets',
    says: 'Credentials in the repository are compromised: rotate them, removing the line is not enough.',
    severity: 'high',
    section: 'gitleaks_findings',
    test: (envelope) => {
      const section = at(envelope, 'gitleaks_findings');
      // What stands in tests and documentation, or is a placeholder, is listed in the section and is no alarm.
      const found =
        countAt(section, 'alarms_count') ?? countAt(section, 'findings_count') ?? countAt(section, 'findings');
      const notRun = scannerProblem(section);
      if (found !== null && found > 0) {
        const isAlarm = (one: unknown) => (textAt(one, 'standing') ?? 'probable') === 'probable';
        const alarms = placesOf(listAt(section, 'findings').filter(isAlarm));
        const items = alarms.slice(0, 5).map((place) => [place.what, spell(place)].filter(Boolean).join(': '));
        return raised(plural(found, 'finding'), items, alarms);
      }
      return notRun ?? (found === null ? malformed : clear);
    },
  },
  {
    id: 'severe_cves',
    title: 'Critical or high CVEs in the image',
    says: 'Known vulnerabilities in what the image contains.',
    severity: 'high',
    section: 'cve_scan',
    bearer: noImage,
    test: (envelope) => {
      const section = at(envelope, 'cve_scan');
      const critical = numberAt(section, 'by_severity', 'critical');
      const high = numberAt(section, 'by_severity', 'high');
      if ((critical ?? 0) + (high ?? 0) > 0) {
        const items = listAt(section, 'top_findings').flatMap(cveLine).slice(0, 5);
        return raised(`${critical ?? 0} critical, ${high ?? 0} high`, items);
      }
      return scannerProblem(section) ?? (critical === null || high === null ? malformed : clear);
    },
  },
  {
    id: 'eval',
    title: 'Code from strings',
    says: 'What is made of text at run time defeats static reasoning: references may exist that no index can see.',
    severity: 'high',
    section: 'dynamic_code',
    test: (envelope) => {
      const facts = readFacts(envelope);
      const stated = facts.find(({ id, scope }) => id === 'dynamic_code' && scope === '.');
      if (stated?.state === 'known') {
        const places = linesAt(stated.value);
        return raised(plural(places.length, 'place'), places.slice(0, 5), places.flatMap(parsePlace));
      }
      if (stated?.state !== 'none') return unknown('some sources could not be read');
      // A script beside code in a language that nothing looked at rules nothing out; nor does one part of several.
      const product = new Set(listProductDirs(envelope));
      const written = facts.flatMap(({ id, scope, value }) =>
        id === 'language.primary' && typeof value === 'string' && (scope === '.' || product.has(scope)) ? [value] : [],
      );
      const unseen = [...new Set(written)].filter((language) => !evalLanguages.includes(language));
      if (written.length > 0 && unseen.length === 0) return clear;
      const others = written.length > unseen.length ? `, not in ${unseen.join(', ')}` : '';
      return unknown(`looked for in ${evalLanguages.join(', ')} alone${others}`);
    },
  },
  {
    id: 'shell_at_runtime',
    title: 'Shell at run time',
    says: 'The container needs a shell, so it cannot move to a base image without one as it is.',
    severity: 'medium',
    section: 'shell_usage',
    bearer: noImage,
    test: (envelope) => {
      const section = at(envelope, 'shell_usage');
      const traced = numberAt(section, 'runtime_trace', 'total');
      const touchpoints = listAt(section, 'touchpoints');
      if ((traced ?? 0) > 0 || touchpoints.length > 0) {
        const observed = traced === null ? 'not traced' : `${traced} observed while tracing`;
        const items = touchpoints.flatMap(touchpointLine).slice(0, 5);
        return raised(`${plural(touchpoints.length, 'touchpoint')} in the Dockerfile, ${observed}`, items);
      }
      return traced === null ? unknown('nothing in the Dockerfile, but no trace of the running container') : clear;
    },
  },
  {
    id: 'custom_certificates',
    title: 'Custom certificate authorities',
    says: 'Trust stores are not inherited by a new base image: the certificates must be carried over.',
    severity: 'medium',
    section: 'custom_certificates',
    bearer: nothingThere('custom_certificates', 'there is no image, certificate or trust setting'),
    test: (envelope, view) => {
      const section = at(envelope, 'custom_certificates');
      const detected = at(section, 'detected');
      if (detected === true) {
        const trusted = listAt(section, 'paths').filter((entry) => textAt(entry, 'via') !== 'repo_file');
        // Code that checks no certificate trusts no authority more for it.
        const named = listAt(section, 'programmatic_ca_overrides').filter((one) =>
          /^(?:ca_option|create_secure_context)$/.test(textAt(one, 'kind') ?? ''),
        );
        const isUsed = trusted.length > 0 || named.length > 0 || at(section, 'node_extra_ca_certs_set') === true;
        if (!isUsed)
          return unknown(
            listAt(section, 'paths').length > 0
              ? 'certificates lie in the repository, and nothing that was read installs them'
              : 'code switches the checking of certificates off, and names no authority',
          );
        const paths = trusted.flatMap((entry) => textAt(entry, 'path') ?? []);
        const overrides = placesOf(named).map(spell);
        const items = [...new Set([...paths, ...overrides])];
        return raised(plural(items.length, 'place'), items.slice(0, 5), placesOf(named));
      }
      // Without an image there is nothing to trace: the files of the repository are all there is to look at.
      if (noImage(view) !== null) return { kind: 'clear', isSure: true };
      return detected === false ? clear : unknown('no static evidence, and no trace that could rule it out');
    },
  },
  {
    id: 'native_modules',
    title: 'Native Node modules',
    says: 'Compiled for one platform and C library; they need system libraries at run time and a compiler at build time.',
    severity: 'medium',
    section: 'manifests',
    test: (envelope) => {
      const primary = at(envelope, 'manifests', 'primary');
      if (primary === null)
        return hasNodePart(envelope)
          ? unknown('looked for in the lock file at the root alone, and the parts in Node have their own')
          : doesNotApply('there is no package.json at the root');
      const packages = listAt(primary, 'native_modules', 'packages');
      const detected = at(primary, 'native_modules', 'detected');
      if (detected === true || packages.length > 0) {
        const items = packages.flatMap(nativeModuleLine).slice(0, 10);
        return raised(`${plural(packages.length, 'package')} of the lock file, development included`, items);
      }
      return detected === false ? clear : malformed;
    },
  },
  {
    id: 'convenience_packages',
    title: 'Convenience packages in the image',
    says: 'Tools such as curl or vim that the service does not need enlarge what an attacker can use.',
    severity: 'medium',
    section: 'sbom',
    bearer: noImage,
    test: (envelope) => {
      const section = at(envelope, 'sbom');
      const classified = at(section, 'os_packages_classification', 'convenience');
      const count = countAt(classified);
      if (count !== null && count > 0) return raised(plural(count, 'package'), linesAt(classified).slice(0, 10));
      return scannerProblem(section) ?? (count === null ? malformed : clear);
    },
  },
  {
    id: 'several_lockfiles',
    title: 'Several lockfiles of Node',
    says: 'Two package managers resolve two dependency trees; which one is deployed depends on who builds.',
    severity: 'medium',
    section: 'build_system',
    bearer: nothingThere('build_system', 'there is nothing of Node here'),
    test: (envelope) => {
      const section = at(envelope, 'build_system');
      const additional = at(section, 'additional_lockfiles');
      if (!Array.isArray(additional)) return malformed;
      const used = textAt(section, 'lockfile');
      if (additional.length === 0 && used !== null) return clear;
      if (additional.length === 0)
        return hasNodePart(envelope)
          ? unknown('looked for at the root alone')
          : doesNotApply('the root has no lockfile of Node');
      return raised(`${used ?? 'none'} is used`, linesAt(additional).slice(0, 10));
    },
  },
  {
    id: 'expired_exceptions',
    title: 'Expired exceptions',
    says: 'A deviation was approved until a date that has passed.',
    severity: 'medium',
    section: 'organizational.exceptions',
    bearer: nothingThere('organizational.exceptions', 'no exception is recorded'),
    test: (envelope) => {
      const expired = at(envelope, 'organizational', 'exceptions', 'expired');
      if (!Array.isArray(expired)) return malformed;
      return expired.length === 0
        ? clear
        : raised(plural(expired.length, 'exception'), expired.flatMap(exceptionLine).slice(0, 5));
    },
  },
];

function listProductDirs(envelope: unknown): readonly string[] {
  return listAt(envelope, 'components', 'components').flatMap((one) =>
    componentKinds.some((kind) => kind === textAt(one, 'kind') && isProduct({ kind }))
      ? (textAt(one, 'dir') ?? [])
      : [],
  );
}

/** A part of the product below the root has a package.json of its own. */
function hasNodePart(envelope: unknown): boolean {
  const below = listProductDirs(envelope).filter((dir) => dir !== '.');
  return readFacts(envelope).some(
    ({ id, scope }) =>
      id === 'manifest.dependencies' && scope.endsWith('/package.json') && below.some((dir) => isWithin(scope, dir)),
  );
}

const malformed: RiskVerdict = { kind: 'unknown', because: 'the section does not have the expected shape' };

function raised(detail: string, items: readonly string[], places: readonly RiskPlace[] = []): RiskVerdict {
  return { kind: 'raised', detail, items, places };
}

function unknown(because: string): RiskVerdict {
  return { kind: 'unknown', because };
}

/** A scanner that did not run to its end has proved nothing. */
function scannerProblem(section: unknown): RiskVerdict | null {
  const kind = textAt(section, 'outcome', 'kind');
  if (kind === 'ran') return null;
  const reason = textAt(section, 'outcome', 'reason');
  if (kind === 'skipped' && reason === 'upstream_unavailable') return unknown('there is no image to look into');
  return unknown(`the scanner did not finish: ${kind ?? 'no outcome'}${reason === null ? '' : ` (${reason})`}`);
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function placesOf(entries: readonly unknown[]): readonly RiskPlace[] {
  return entries.flatMap((entry) => {
    const path = textAt(entry, 'path');
    return path === null ? [] : [{ path, line: numberAt(entry, 'line'), what: textAt(entry, 'rule_id') }];
  });
}

function spell({ path, line }: RiskPlace): string {
  return line === null ? path : `${path}:${line}`;
}

/** Of a fact's value: `path:line`. */
function parsePlace(text: string): readonly RiskPlace[] {
  const [, path, line] = /^(.+):(\d{1,9})$/.exec(text) ?? [];
  return path === undefined ? [] : [{ path, line: Number(line), what: null }];
}

function cveLine(finding: unknown): readonly string[] {
  const id = textAt(finding, 'cve_id');
  if (id === null) return [];
  const name = [textAt(finding, 'package_name'), textAt(finding, 'package_version')]
    .filter((part) => part !== null)
    .join(' ');
  const fixed = textAt(finding, 'fixed_in');
  const reach = textAt(finding, 'reachable') === 'loaded' ? ', loaded at run time' : '';
  return [
    `${textAt(finding, 'severity') ?? 'unknown'} ${id} in ${name}${fixed === null ? '' : `, fixed in ${fixed}`}${reach}`,
  ];
}

function touchpointLine(touchpoint: unknown): readonly string[] {
  const text = textAt(touchpoint, 'text');
  if (text === null) return [];
  const kind = textAt(touchpoint, 'classification') ?? 'unknown';
  return [`${textAt(touchpoint, 'where') ?? 'Dockerfile'}: ${text} (${kind})`];
}

function nativeModuleLine(module: unknown): readonly string[] {
  const name = textAt(module, 'name');
  if (name === null) return [];
  const libraries = linesAt(module, 'system_deps_required');
  return [libraries.length === 0 ? name : `${name} (needs ${libraries.join(', ')})`];
}

function exceptionLine(exception: unknown): readonly string[] {
  const reason = textAt(exception, 'reason') ?? 'no reason given';
  return [`${reason}, expired ${textAt(exception, 'expires') ?? 'at an unknown date'}`];
}
