/** Item 32: whatever a scanner prints and however it ends, its outcome says so, and nothing of it passes for a clean scan. */

import { afterEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/kernel/base/json.ts';
import { createFixtureRepo, type FixtureRepo, recordOf } from '../support/fixture-repo.ts';
import { installPretendTool } from './pretend-tool.ts';

let repo: FixtureRepo | undefined;
afterEach(() => repo?.dispose());

type Scanner = {
  readonly tool: string;
  readonly probe: string;
  readonly section: string;
  readonly beside?: Readonly<Record<string, string>>;
  /** Prints the text as this tool prints a report. */
  readonly says: (text: string) => string;
  /** A report with one finding at line 1 of `a.js`, its message as given. */
  readonly finding: (message: string) => string;
  /** A report whose parts are of the wrong types. */
  readonly wrong: string;
  /** A report that is well-formed and of nothing. */
  readonly nothing: string;
  readonly huge: string;
  readonly hugeIs: Json;
  /** How it exits when it has found something. */
  readonly exitWithFindings: number;
};

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
const print = (text: string) => `printf '%s' ${quote(text)}`;
const summary = "echo 'sg: summary|file: scannedFileCount=1,skippedFileCount=0' >&2";
const bytes = "echo 'INF scanned ~30 bytes (30 bytes) in 1ms' >&2";
const flood = "head -c 300000000 /dev/zero | tr '\\0' x";

const scanners: readonly Scanner[] = [
  {
    tool: 'semgrep',
    probe: 'semgrep',
    section: 'semgrep_findings',
    says: print,
    finding: (message) =>
      JSON.stringify({
        results: [{ check_id: 'rule', path: './a.js', start: { line: 1 }, extra: { message, severity: 'ERROR' } }],
        errors: [],
        paths: { scanned: ['./a.js'] },
      }),
    wrong: '{"results":[{"check_id":7,"path":["a.js"],"start":{"line":"x"}}],"errors":[],"paths":{"scanned":["a.js"]}}',
    nothing: '{"results":[],"errors":[],"paths":{"scanned":[]}}',
    huge: flood,
    hugeIs: 'truncated',
    exitWithFindings: 1,
  },
  {
    tool: 'ast-grep',
    probe: 'ast_grep',
    section: 'ast_grep_findings',
    // The program runs the user's rules alone.
    beside: {
      '~/.codegenie/ast-grep-rules/sgconfig.yml': 'ruleDirs: [rules]\n',
      '~/.codegenie/ast-grep-rules/rules/a.yml': 'id: rule\nlanguage: JavaScript\nmessage: m\nrule: {pattern: x}\n',
    },
    says: (text) => `${print(text)}; ${summary}`,
    finding: (message) =>
      JSON.stringify({ file: './a.js', ruleId: 'rule', severity: 'error', message, range: { start: { line: 0 } } }),
    wrong: '{"file":7,"ruleId":null,"severity":"error","message":"x","range":[]}',
    nothing: '',
    huge: `${flood}; ${summary}`,
    hugeIs: 'invalid_json',
    exitWithFindings: 1,
  },
  {
    tool: 'rg',
    probe: 'ripgrep_curated',
    section: 'grep_findings',
    says: print,
    finding: (message) =>
      [
        { type: 'match', data: { path: { text: './a.js' }, lines: { text: `spawn(${message})\n` }, line_number: 1 } },
        { type: 'end', data: { path: { text: './a.js' }, binary_offset: null, stats: { matched_lines: 1 } } },
        { type: 'summary', data: { stats: {} } },
      ]
        .map((message_) => `${JSON.stringify(message_)}\n`)
        .join(''),
    wrong: '{"type":"match","data":{"path":"a.js","lines":7,"line_number":"x"}}\n',
    nothing: '{"type":"summary","data":{"stats":{}}}\n',
    huge: flood,
    hugeIs: 'invalid_json',
    exitWithFindings: 0,
  },
  {
    tool: 'gitleaks',
    probe: 'gitleaks',
    section: 'gitleaks_findings',
    says: (text) => `${print(text)} > "$report"; ${bytes}`,
    finding: (message) =>
      JSON.stringify([{ RuleID: 'rule', Description: message, File: './a.js', StartLine: 1, Commit: '' }]),
    wrong: '[{"RuleID":7,"Description":null,"File":"a.js","StartLine":"x","Commit":""}]',
    nothing: '',
    huge: `truncate -s 300000000 "$report"; ${bytes}`,
    hugeIs: 'truncated',
    exitWithFindings: 0,
  },
];

describe.each(scanners)('$probe', (scanner) => {
  async function scan(body: string, config = '') {
    repo = createFixtureRepo({ 'a.js': 'export const a = 1;\n', ...scanner.beside });
    installPretendTool(repo, scanner.tool, body, config);
    const { envelope } = await repo.publish({ only: [scanner.probe] });
    const section = envelope[scanner.section] as JsonObject;
    return { record: recordOf(envelope, scanner.probe), section, text: JSON.stringify(envelope) };
  }

  function expectFailure({ record, section }: Awaited<ReturnType<typeof scan>>, outcome: JsonObject) {
    expect(section['outcome']).toMatchObject({ kind: 'failed', ...outcome });
    expect(section['findings']).toEqual([]);
    expect(record).toMatchObject({ status: 'degraded', confidence: 'low', errors: [`${scanner.probe}.scan_failed`] });
  }

  test('G32 a report cut in the middle', async () => {
    const whole = scanner.finding('x');
    expectFailure(await scan(scanner.says(whole.slice(0, whole.length / 2))), { exit_code: 0, reason: 'invalid_json' });
  });

  test('G32 values of the wrong types', async () => {
    expectFailure(await scan(scanner.says(scanner.wrong)), { reason: 'invalid_json' });
  });

  test('G32 exit 0 with something else than a report', async () => {
    expectFailure(await scan(scanner.says('All good!\n')), { exit_code: 0, reason: 'invalid_json' });
  });

  test('G32 colours around the report', async () => {
    expectFailure(await scan(scanner.says(`\u001b[31m${scanner.finding('x')}\u001b[0m`)), { reason: 'invalid_json' });
  });

  test('G32 controls inside the report reach no reader', async () => {
    const { section, text } = await scan(scanner.says(scanner.finding('red \u001b[31m, turned \u202e')));
    expect(section).toMatchObject({ outcome: { kind: 'ran' } });
    expect((section['findings'] as Json[]).length).toBe(1);
    expect(text).not.toMatch(/\\u001b|\u202e/);
  });

  test('G32 300 MB', async () => {
    expectFailure(await scan(scanner.huge), { reason: scanner.hugeIs });
  });

  test('G32 findings, and the exit code that means them', async () => {
    const { record, section } = await scan(`${scanner.says(scanner.finding('x'))}; exit ${scanner.exitWithFindings}`);
    expect(section).toMatchObject({ outcome: { kind: 'ran' } });
    expect((section['findings'] as Json[]).length).toBe(1);
    expect(record).toMatchObject({ status: 'ok', errors: [] });
  });

  test('G32 findings, and an exit code that means failure', async () => {
    const ended = await scan(`${scanner.says(scanner.finding('x'))}; echo broken >&2; exit 7`);
    expectFailure(ended, { exit_code: 7, reason: null });
    expect((ended.section['outcome'] as JsonObject)['stderr_tail']).toContain('broken');
  });

  test('G32 a report of nothing looked at', async () => {
    const ends =
      scanner.tool === 'gitleaks'
        ? 'echo "[]" > "$report"; echo "INF scanned ~0 bytes (0)" >&2'
        : print(scanner.nothing);
    expectFailure(await scan(ends), { reason: 'nothing_scanned' });
  });

  test('G32 it hangs', async () => {
    const hanging = await scan('sleep 600', `probes.timeouts: {${scanner.probe}: 20}\n`);
    expectFailure(hanging, { exit_code: 124, reason: 'timeout' });
  });

  test('G32 it crashes', async () => {
    expectFailure(await scan(`${scanner.says(scanner.finding('x'))}; kill -SEGV $$`), { reason: null });
  });
});
