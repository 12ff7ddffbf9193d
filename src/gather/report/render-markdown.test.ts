import { expect, test } from 'vitest';
import { decidingFields, mapTexts, sampleEnvelope, sampleProbes } from '../../../test/support/sample-envelope.ts';
import type { Json } from '../../kernel/base/json.ts';
import { renderMarkdown } from './render-markdown.ts';
import { buildReport } from './report-model.ts';

const hostile = [
  '<script>alert(1)</script>',
  '![x](javascript:alert(1)) [y](http://e.vil)',
  'a|b\\|c`|`d',
  '``` fence\n# heading\n\n- item\n---\n| t | u |',
  '\u001b[31mred\u001b[0m \u202egnp.exe\u202c \u0000',
  '--flag',
  'x'.repeat(255),
  '&lt;img src=x onerror=alert(1)&gt;',
  '_a_ *b* ~~c~~ <http://e.vil> www.e.vil me@e.vil',
];
/** Words that decide which part of the report is shown; a hostile document can choose them, but then shows something else. */
const vocabulary = new Set([...decidingFields, 'gather_status', 'package_manager', 'lockfile', 'primary']);

test('G28 hostile text in every field stays inside its own line and cell', () => {
  const count = (text: string, what: RegExp) => (text.match(what) ?? []).length;
  const plain = render(mapTexts(sampleEnvelope(), (text, key) => (vocabulary.has(key) ? text : 'plain')));
  for (const text of hostile) {
    const report = render(mapTexts(sampleEnvelope(), (own, key) => (vocabulary.has(key) ? own : text)));
    expect(count(report, /\n/g)).toBe(count(plain, /\n/g));
    expect(count(report, /\|/g)).toBe(count(plain, /\|/g));
    expect(count(report, /^#/gm)).toBe(count(plain, /^#/gm));
    expect(report.replace(/<\/?(?:code|details|summary)>|<field\.path>/g, '')).not.toMatch(/<|^\s*>(?! )/m);
    expect(report).not.toMatch(/\]\(|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    for (const line of report.split('\n')) expect(count(line, /`/g) % 2).toBe(0);
  }
});

test('G28 every text replaced, vocabulary included', () => {
  for (const text of hostile) {
    const report = render(mapTexts(sampleEnvelope(), () => text));
    expect(report.replace(/<\/?(?:code|details|summary)>|<field\.path>/g, '')).not.toMatch(/<|\]\(|\u001b|\u202e/);
  }
});

test('a small report, whole', () => {
  const envelope = {
    repo: { id: 'acme/tiny', git_commit: 'abcdef0123456789', branch: 'main', dirty: false, dirty_files: 0 },
    gather_status: 'complete',
    gathered_at: '2026-05-17T00:00:00Z',
    gather_duration_ms: 1234,
    run_id: '0123456789abcdef',
    task_context: { task_type: 'general', sandbox: 'bwrap' },
    facts: [
      {
        ...{ id: 'language.primary', scope: '.', state: 'known', value: 'Go', confidence: 'high' },
        ...{ evidence: ['main.go:1'], how: 'counted' },
      },
    ],
    language_stack: { counts: { go: 3 }, primary: 'go', secondary: [], framework_hints: [], monorepo: null },
    index_health: {
      import_graph: { freshness: { kind: 'fresh', indexed_at: '2026-05-17T00:00:00Z' }, confidence: 'high' },
    },
    probes: {
      language_detection: {
        status: 'ok',
        confidence: 'high',
        sections: ['language_stack'],
        duration_ms: 5,
        cache: { state: 'miss' },
      },
      index_health: {
        status: 'ok',
        confidence: 'high',
        sections: ['index_health'],
        duration_ms: 2,
        cache: { state: 'none' },
      },
      dockerfile: { status: 'skipped', skip: { reason: 'not_applicable', detail: null } },
    },
  };
  expect(renderMarkdown(buildReport(envelope, []))).toBe(golden);
});

function render(envelope: Json): string {
  return renderMarkdown(buildReport(envelope, sampleProbes()));
}

const golden = `# acme/tiny

## Overview

Commit \`abcdef01\` on \`main\`.

|  |  |
| --- | --- |
| **what** | Go |
| **install** | not known: not gathered |
| **build** | not known: not gathered |
| **test** | not known: not gathered |

Files by language: go 100 % (3)

## Risk flags

No flag is raised.

Not judged, so not ruled out:

- Leaked secrets: not gathered
- Critical or high CVEs in the image: not gathered
- Code from strings: not gathered
- Shell at run time: not gathered
- Custom certificate authorities: not gathered
- Native Node modules: not gathered
- Convenience packages in the image: not gathered
- Several lockfiles of Node: not gathered
- Expired exceptions: not gathered

## Blast radius

Not known: workspace dependents (not gathered), import fan-in (not gathered), service consumers (not gathered), public surface (not gathered).

## Validation plan

1. **Unit tests** · no test command was found: nothing here proves a change
2. **Compare** \`codegenie gather\` · the same facts again, after the change

## Skills and instructions

Not known: not gathered.

## ADRs

Not known: not gathered.

## Conventions

Not known: not gathered.

## Exceptions

Not known: not gathered.

## What could not be seen

Every probe that has something to look at here looked.

---

More: \`codegenie facts [id] [scope] --explain\` shows the lines behind a fact, \`codegenie report --explain <field.path>\` where a value comes from.

<details>
<summary>How this was gathered</summary>

## Confidence

Gather complete. What the task requires and the indexes in use: **high**.

- [OK] import_graph · indexed_at=2026-05-17T00:00:00Z

Probes that are not \`ok\`:

- [SKIPPED] \`dockerfile\` · not_applicable

## What is not configured

Nothing for them in this repository: \`dockerfile\`.

## Raw evidence

No raw artifact was kept.

## This run

gathered at \`2026-05-17T00:00:00Z\` · in 1.2 s · run \`0123456789abcdef\`

| slowest probes | time | cache |
| --- | --- | --- |
| \`language_detection\` | 5 ms | miss |
| \`index_health\` | 2 ms | none |

</details>
`;
