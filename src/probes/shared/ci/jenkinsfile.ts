/**
 * Jenkinsfile by line scan: it is a Groovy program, and only stages, agents and literal shell steps are read from it.
 * Every pattern is applied to one line of bounded length, so no input takes more than linear time.
 */

import { type CiJob, type CiReading, type CiStep, runStep } from './ci-reading.ts';

const maxLine = 1_000;
const maxCommand = 500;
const maxLines = 20_000;

export function readJenkinsfile(text: string): CiReading {
  const stages: { id: string; runsOn: string[]; steps: CiStep[] }[] = [];
  const outside: { id: string; runsOn: string[]; steps: CiStep[] } = { id: 'pipeline', runsOn: [], steps: [] };
  let block: { quote: string; lines: string[] } | undefined;
  for (const raw of text.split('\n', maxLines)) {
    const line = raw.slice(0, maxLine).trim();
    const current = stages.at(-1) ?? outside;
    if (block !== undefined) {
      const end = line.indexOf(block.quote);
      if (end < 0) block.lines.push(line);
      else {
        current.steps.push(runStep([...block.lines, line.slice(0, end)].join('\n').trim().slice(0, maxCommand)));
        block = undefined;
      }
      continue;
    }
    if (line.startsWith('//')) continue;
    const stage = /\bstage\s?\(\s?(['"])(.{1,200}?)\1/.exec(line)?.[2];
    if (stage !== undefined) stages.push({ id: stage, runsOn: [], steps: [] });
    const target = stages.at(-1) ?? outside;
    target.runsOn.push(...readAgents(line));
    const opened = /\b(?:sh|bat)\b.{0,40}?('''|""")(.*)$/.exec(line);
    if (opened !== null) {
      const [, quote = '', rest = ''] = opened;
      const end = rest.indexOf(quote);
      if (end >= 0) target.steps.push(runStep(rest.slice(0, end).slice(0, maxCommand)));
      else block = { quote, lines: [rest] };
      continue;
    }
    const command = /\b(?:sh|bat)\b\s?\(?\s?(?:script:\s?)?(['"])(.{1,500}?)\1/.exec(line)?.[2];
    if (command !== undefined) target.steps.push(runStep(command));
  }
  const jobs: CiJob[] = outside.steps.length > 0 || stages.length === 0 ? [outside, ...stages] : stages;
  return { jobs: jobs.map((job) => (job.runsOn.length > 0 ? job : { ...job, runsOn: outside.runsOn })), matrix: [] };
}

function readAgents(line: string): string[] {
  const label =
    /\blabel\s?\(?\s?(['"])(.{1,100}?)\1/.exec(line)?.[2] ?? /\bnode\s?\(\s?(['"])(.{1,100}?)\1/.exec(line)?.[2];
  const image = /\bimage\s?(['"])(.{1,200}?)\1/.exec(line)?.[2];
  const any = /\bagent\s+any\b/.test(line) ? ['any'] : [];
  return [...(label === undefined ? [] : [label]), ...(image === undefined ? [] : [image]), ...any];
}
