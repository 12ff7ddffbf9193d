/** The run of dynamic_code: sources as text, with comments and strings as blanks. */

import type { ProbeRepo } from '../../gather/contract.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient } from '../../kernel/base/text.ts';
import { isFixturePath, isTestFile, isVendoredPath } from '../../kernel/tree/file-roles.ts';
import { lineNumberAt } from '../../kernel/tree/positions.ts';
import { withoutComments } from '../service-contracts/route-text.ts';

type Place = { readonly path: string; readonly line: number; readonly call: string };

const beside = /(?:^|\/)(?:tests?|__tests__|spec|e2e|testing|benchmarks?|examples?|docs?)\/|\.min\.js$|\.d\.[cm]?ts$/;
const calls = {
  js: /(?<![\w$.])(?:(eval)\s*\(|new\s+((?:Async|Generator|AsyncGenerator)?Function)\s*\()|\bvm\.(runIn\w*Context)\s*\(/g,
  py: /(?<![\w.]|def )(eval|exec)\s*\(/g,
  php: /(?<![\w$>:]|function )(eval)\s*\(/g,
  // With a block they run no text: `class_eval do`, `instance_eval { }`, `instance_eval(&block)`.
  rb: /(?<![\w.:]|def )(eval)\s*[( ]\s*(?![=&|])|\b((?:instance|class|module)_eval)\s*(?:\(\s*(?!&|\))|<<)/g,
  go: /\.(Eval|EvalPath|EvalWithContext|RunString|RunScript|RunProgram|DoString|DoFile|ExecFile)\s*\(/g,
};

/** Interpreters of Go, Lua, JavaScript and Starlark for programs in Go; without one of them the names mean something else. */
const interpreters =
  /"(?:github\.com\/traefik\/yaegi\/interp|github\.com\/cosmos72\/gomacro\/\S*|github\.com\/yuin\/gopher-lua|github\.com\/dop251\/goja|github\.com\/robertkrimen\/otto|go\.starlark\.net\/starlark|rogchap\.com\/v8go)"/;

export async function gatherDynamicCode(repo: ProbeRepo): Promise<{ places: Place[]; unread: number }> {
  const places: Place[] = [];
  let unread = 0;
  for (const path of repo.inputs.list()) {
    if (isTestFile(path) || isFixturePath(path) || isVendoredPath(path) || beside.test(path)) continue;
    if (repo.inputs.fingerprint(path)?.kind === 'link') continue;
    const read = await repo.inputs.read(path, limits.textBytes);
    if (read.kind === 'failed') unread += 1;
    if (read.kind !== 'read') continue;
    const source = decodeLenient(read.bytes);
    const kind = kindOf(path);
    if (!(kind === 'go' ? interpreters : /(?:\b|_)(?:eval|exec|runIn)|Function/).test(source)) continue;
    const text = withoutStrings(withoutComments(source, kind === 'py' || kind === 'rb' ? '#' : '//'));
    for (const match of text.matchAll(calls[kind])) {
      const line = lineNumberAt(text, match.index);
      places.push({ path, line, call: match[1] ?? match[2] ?? match[3] ?? '' });
    }
  }
  return { places, unread };
}

function kindOf(path: string): keyof typeof calls {
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return ending === 'py' || ending === 'php' || ending === 'go' || ending === 'rb' ? ending : 'js';
}

function withoutStrings(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, (found) => ' '.repeat(found.length));
}
