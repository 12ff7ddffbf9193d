/**
 * The risk flags of a context as continuous integration reads them: SARIF 2.1.0, annotations of GitHub, JUnit. Promise: a risk that was not
 * judged is never one that was looked for and not found (P2): SARIF tells it as a notification, GitHub as a notice, JUnit as skipped.
 */

import { blake3Hex } from '../../kernel/base/hash.ts';
import { canonicalJson, type Json } from '../../kernel/base/json.ts';
import { shown, stripControls } from '../../kernel/base/text.ts';
import { type Risks, riskRules } from './risks.ts';

export type AnnotationFormat = 'sarif' | 'github' | 'junit';

export function renderAnnotations(risks: Risks, format: AnnotationFormat, programVersion: string): string {
  const render = { sarif: renderSarif, github: renderGithub, junit: renderJunit } satisfies Record<
    AnnotationFormat,
    (risks: Risks, programVersion: string) => string
  >;
  return render[format](risks, programVersion);
}

type Raised = Risks['raised'][number];
type Place = Raised['places'][number];

type Note = { readonly risk: Raised; readonly text: string; readonly place: Place | null };

/** One for each place, or one for the risk where it lies in no file. */
function listNotes(raised: readonly Raised[]): readonly Note[] {
  return raised.flatMap((risk): Note[] => {
    const { title, detail, says, items, places } = risk;
    if (places.length === 0) {
      const named = items.length === 0 ? '' : `: ${items.join('; ')}`;
      return [{ risk, text: `${title}: ${detail}${named}. ${says}`, place: null }];
    }
    return places.map((place) => ({
      risk,
      text: `${title}${place.what === null ? '' : ` (${place.what})`}. ${says}`,
      place,
    }));
  });
}

function renderSarif({ raised, unjudged }: Risks, programVersion: string): string {
  const ids = riskRules.map(({ id }) => id);
  const level = { high: 'error', medium: 'warning' } as const;
  const run = {
    tool: {
      driver: {
        name: 'codegenie',
        version: programVersion,
        rules: riskRules.map(({ id, title, says, severity }) => ({
          id,
          name: id,
          shortDescription: { text: title },
          fullDescription: { text: says },
          defaultConfiguration: { level: level[severity] },
        })),
      },
    },
    columnKind: 'utf16CodeUnits',
    invocations: [
      {
        executionSuccessful: true,
        toolExecutionNotifications: unjudged.map(({ id, title, because }) => ({
          level: 'note',
          message: { text: `${title}: not judged, ${because}` },
          associatedRule: { id, index: ids.indexOf(id) },
        })),
      },
    ],
    results: listNotes(raised).map(({ risk: { id, severity }, text, place }) => ({
      ruleId: id,
      ruleIndex: ids.indexOf(id),
      level: level[severity],
      message: { text },
      locations: place === null ? [] : [locationOf(place)],
      // Lines move: the same risk of the same file is the same alert.
      partialFingerprints: { 'risk/v1': blake3Hex(`${id}\0${place?.path ?? ''}\0${place?.what ?? ''}`).slice(0, 32) },
    })),
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return canonicalJson(log as unknown as Json);
}

function locationOf({ path, line }: Place): object {
  const uri = path.split('/').map(encodeURIComponent).join('/');
  return {
    physicalLocation: {
      artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
      ...(line === null ? {} : { region: { startLine: line } }),
    },
  };
}

/** What the runner of GitHub reads from standard output. */
function renderGithub({ raised, unjudged }: Risks): string {
  const encode = (text: string) =>
    shown(text, 2_000).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (text: string) => encode(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const command = { high: 'error', medium: 'warning' } as const;
  const lines = listNotes(raised).map(({ risk: { severity, title }, text, place }) => {
    const where =
      place === null ? [] : [`file=${property(place.path)}`, ...(place.line === null ? [] : [`line=${place.line}`])];
    return `::${command[severity]} ${[...where, `title=${property(title)}`].join(',')}::${encode(text)}`;
  });
  const unseen = unjudged.map(({ title, because }) => `${title} (${because})`);
  return [...lines, ...(unseen.length === 0 ? [] : [`::notice title=Not judged::${encode(unseen.join('; '))}`])].join(
    '\n',
  );
}

function renderJunit(risks: Risks): string {
  const cases = [
    ...risks.raised.map((risk) => {
      const text = listNotes([risk]).map(({ text, place }) =>
        [place === null ? [] : [`${place.path}${place.line === null ? '' : `:${place.line}`}`], text].flat().join(' '),
      );
      return testCase(
        risk,
        `<failure type="${xml(risk.severity)}" message="${xml(risk.detail)}">${xml(text.join('\n'))}</failure>`,
      );
    }),
    ...[...risks.unjudged, ...risks.notApplicable].map((risk) =>
      testCase(risk, `<skipped message="${xml(risk.because)}"/>`),
    ),
    ...risks.clear.map((risk) => testCase(risk, '')),
  ];
  const skipped = risks.unjudged.length + risks.notApplicable.length;
  const counts = `tests="${cases.length}" failures="${risks.raised.length}" skipped="${skipped}" errors="0"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}><testsuite name="codegenie risks" ${counts}>\n${cases.join('\n')}\n</testsuite></testsuites>`;
}

function testCase({ id, title }: { readonly id: string; readonly title: string }, inside: string): string {
  return `<testcase classname="${xml(id)}" name="${xml(title)}">${inside}</testcase>`;
}

function xml(text: string): string {
  const escapes: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  };
  return stripControls(text).replace(/[&<>"']/g, (character) => escapes[character] ?? '');
}
