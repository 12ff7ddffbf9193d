/**
 * One job from a configuration to an index file (code-plane.md §6.1): the program is loaded once, then one document after another is asked
 * about, written and forgotten.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { compilerVersion } from '../../../kernel/compiler/compiler-packages.ts';
import { API, type Node, type Project, type Symbol as TsSymbol } from '../../../kernel/compiler/typescript-api.ts';
import { createScipFile } from '../scip/write-index.ts';
import { createQuestions } from './ask-compiler.ts';
import { createDescriber } from './describe-declarations.ts';
import { createAncestry } from './find-relationships.ts';
import { type DocumentWorld, followAlias, indexDocument } from './index-document.ts';
import type { TsgoJob } from './job-file.ts';
import { createFileSpelling } from './package-names.ts';
import { createSpelling } from './spell-declarations.ts';

/** Gives the exit code. */
export function indexProgram(job: TsgoJob, say: (line: string) => void, beforeEnd: () => void = () => {}): number {
  const began = performance.now();
  const api = new API({ cwd: job.root });
  try {
    completeProject(api, job);
    const snapshot = api.updateSnapshot({ openProjects: [job.project] });
    const project = snapshot.getProject(job.project);
    if (project === undefined) {
      say('config_error: the compiler cannot open the project');
      return 1;
    }
    const names = listWanted(project, job);
    const loaded = performance.now();
    const world = createWorld(project, job.root);
    const output = createScipFile(job.output);
    output.write({
      kind: 'metadata',
      metadata: {
        toolName: 'codegenie-tsgo',
        toolVersion: compilerVersion,
        projectRoot: `file://${encodeURI(job.root)}`,
      },
    });
    for (const fileName of names) {
      const file = project.program.getSourceFile(fileName);
      if (file === undefined) continue;
      const path = fileName.slice(job.root.length + 1);
      output.write({ kind: 'document', document: indexDocument(file, path, world) });
    }
    const bytes = output.close();
    const { requests, ms } = world.questions.spent;
    const ended = performance.now();
    say(
      `${names.length} documents, ${bytes} bytes; ` +
        `load ${Math.round(loaded - began)} ms, resolve ${Math.round(ms)} ms in ${requests} requests, ` +
        `encode ${Math.round(ended - loaded - ms)} ms, ${Math.round(process.memoryUsage.rss() / 1024 ** 2)} MB`,
    );
    beforeEnd();
    return 0;
  } finally {
    api.close();
  }
}

/** Version 7 brings no `@types` along unless it is told to; what is indexed here is written for versions that do. */
function completeProject(api: API, { project, isRendered, typeRoots }: TsgoJob): void {
  if (!isRendered) return;
  const { options } = api.parseConfigFile(project);
  if (options.types !== undefined) return;
  const rendered = JSON.parse(readFileSync(project, 'utf8')) as { compilerOptions?: Record<string, unknown> };
  const roots = options.typeRoots === undefined ? { typeRoots } : {};
  rendered.compilerOptions = { ...rendered.compilerOptions, types: ['*'], ...roots };
  writeFileSync(project, JSON.stringify(rendered));
}

function listWanted(project: Project, { root, members, scope }: TsgoJob): string[] {
  const wanted = new Set((scope ?? members).map((path) => `${root}/${path}`));
  return project.program.getSourceFileNames().filter((name) => wanted.has(name));
}

function createWorld(project: Project, root: string): DocumentWorld {
  const known = new Map<number, readonly Node[]>();
  const spell = createSpelling(createFileSpelling());
  const questions = createQuestions(project.checker);
  const declarationsOf = (symbol: TsSymbol): readonly Node[] => {
    let found = known.get(symbol.id);
    if (found === undefined) {
      found = symbol.declarations.flatMap((handle) => handle.resolve(project) ?? []);
      known.set(symbol.id, found);
    }
    return found;
  };
  return {
    project,
    questions,
    spell,
    declarationsOf,
    describer: createDescriber(questions, spell, root),
    ancestry: createAncestry(questions, declarationsOf, (node, symbol) =>
      followAlias(node, symbol, { questions, declarationsOf }),
    ),
  };
}
