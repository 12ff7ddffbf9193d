import { describe, expect, test } from 'vitest';
import { parseXml } from '../../kernel/formats/xml.ts';
import { renderAnnotations } from './annotations.ts';
import { type Risks, riskRules } from './risks.ts';

const [secrets, lockfiles, cves] = ['leaked_secrets', 'several_lockfiles', 'severe_cves'].map((id) => {
  const rule = riskRules.find((each) => each.id === id);
  if (rule === undefined) throw new Error(id);
  return rule;
});
if (secrets === undefined || lockfiles === undefined || cves === undefined) throw new Error('no such rules');

const hostile = 'a,b:%0A::error::x\n"<b>&\u202e/é.js';
const risks: Risks = {
  raised: [
    {
      ...secrets,
      detail: '2 findings',
      items: [],
      places: [
        { path: hostile, line: 3, what: 'aws' },
        { path: 'b', line: null, what: null },
      ],
    },
    { ...lockfiles, detail: 'x is used', items: ['y'], places: [] },
  ],
  unjudged: [{ id: cves.id, title: cves.title, because: 'no image was built' }],
  clear: [{ id: 'eval', title: 'Code from strings' }],
  notApplicable: [{ id: 'shell_at_runtime', title: 'Shell at run time', because: 'there is no Dockerfile' }],
};
const nothing: Risks = { raised: [], unjudged: [], clear: [], notApplicable: [] };

describe('sarif', () => {
  const log = (of: Risks) => JSON.parse(renderAnnotations(of, 'sarif', '1.2.3'));

  test('a result for each place, by the rules of the run; names of files are encoded', () => {
    const [run] = log(risks).runs;
    expect(log(risks).version).toBe('2.1.0');
    for (const { ruleId, ruleIndex } of run.results) expect(run.tool.driver.rules[ruleIndex].id).toBe(ruleId);
    expect(run.results.map(({ level }: { level: string }) => level)).toEqual(['error', 'error', 'warning']);
    const [first, second, third] = run.results;
    const { artifactLocation, region } = first.locations[0].physicalLocation;
    expect(decodeURIComponent(artifactLocation.uri)).toBe(hostile);
    expect(artifactLocation.uri).toMatch(/^[!-~]+$/);
    expect(region).toEqual({ startLine: 3 });
    expect(second.locations[0].physicalLocation.region).toBeUndefined();
    expect(third).toMatchObject({ locations: [], message: { text: expect.stringContaining('x is used: y') } });
  });

  test('P2 what was not judged is a notification, and no rule without a result', () => {
    expect(log(risks).runs[0].invocations[0].toolExecutionNotifications).toEqual([
      {
        level: 'note',
        message: { text: 'Critical or high CVEs in the image: not judged, no image was built' },
        associatedRule: { id: 'severe_cves', index: riskRules.indexOf(cves) },
      },
    ]);
    expect(log(nothing).runs[0].results).toEqual([]);
  });

  test('an alert stays the same one when lines move, and differs by file', () => {
    const marks = (path: string, line: number) =>
      log({ ...nothing, raised: [{ ...secrets, detail: '', items: [], places: [{ path, line, what: 'aws' }] }] })
        .runs[0].results[0].partialFingerprints;
    expect(marks('a', 1)).toEqual(marks('a', 9));
    expect(marks('a', 1)).not.toEqual(marks('b', 1));
  });
});

test('G28 github: no text of the repository begins a command or ends a property', () => {
  const lines = renderAnnotations(risks, 'github', '1').split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toMatch(
    /^::error file=a%2Cb%3A%250A%3A%3Aerror%3A%3Ax "<b>&\/é\.js,line=3,title=Leaked secrets::Leaked secrets \(aws\)/,
  );
  expect(lines[3]).toBe('::notice title=Not judged::Critical or high CVEs in the image (no image was built)');
  expect(renderAnnotations(nothing, 'github', '1')).toBe('');
});

test('junit: raised fails, clear passes, the rest is skipped with its reason; any text is well-formed', () => {
  const text = renderAnnotations(risks, 'junit', '1');
  expect(parseXml(new TextEncoder().encode(text), { maxBytes: 100_000, maxDepth: 20 })).toMatchObject({ ok: true });
  expect(text).toContain('tests="5" failures="2" skipped="2" errors="0"');
  expect(text.match(/<failure /g)).toHaveLength(2);
  expect(text.match(/<skipped /g)).toHaveLength(2);
  expect(text).toContain('&quot;&lt;b&gt;&amp;/é.js:3');
});
