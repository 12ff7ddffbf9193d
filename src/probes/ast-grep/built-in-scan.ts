/**
 * Our own rules, run by ast-grep's WebAssembly build in the threads that parse for probes. It is carried in the package, so they run
 * everywhere and find the same; the program `ast-grep` is asked for the user's rules alone. Comments that switch a rule off say nothing here.
 */

import type { SgRoot } from '@ast-grep/wasm';
import { assert } from '../../kernel/base/assert.ts';
import { locateCarried, readCarried } from '../../kernel/base/package-files.ts';
import { type ParsedSource, wasmOf } from '../../languages/parsing/parse-source.ts';
import { astGrepRulesCatalog } from './ast-grep-catalog.ts';

const astGrepWasm = '@ast-grep/wasm/wasm_bg.wasm';

/** `rule`: its id in the catalog; lines are counted from 1. */
export type BuiltInFinding = { readonly rule: string; readonly line: number };

/** What ast-grep calls the grammars that our rules are for, and what stands for `$` in patterns where no name may begin with it. */
const known = {
  javascript: { name: 'JavaScript' },
  typescript: { name: 'TypeScript' },
  tsx: { name: 'Tsx' },
  python: { name: 'Python', expandoChar: 'µ' },
  go: { name: 'Go', expandoChar: 'µ' },
} as const;
type Known = keyof typeof known;

const isKnown = (grammar: string): grammar is Known => Object.hasOwn(known, grammar);

type Matcher = { readonly rule: object; readonly constraints?: object };
type Registration = { readonly libraryPath: string; readonly expandoChar?: string };
type AstGrep = {
  __wbg_set_wasm(exports: unknown): void;
  initializeTreeSitter(): Promise<void>;
  registerDynamicLanguage(languages: Readonly<Record<string, Registration>>): Promise<void>;
  parse(language: string, text: string): SgRoot;
};

/** The part of the engine's own WebAssembly that is used: the types of Node do not name it. */
type Wasm = {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> };
};

let astGrep: AstGrep | undefined;
const started = new Map<Known, Promise<void>>();

/** To be awaited before the first file of a grammar is scanned. */
export async function startBuiltInScan(grammar: string): Promise<void> {
  if (!isKnown(grammar)) return;
  const starting = started.get(grammar) ?? start(grammar);
  started.set(grammar, starting);
  await starting;
}

async function start(grammar: Known): Promise<void> {
  astGrep ??= await load();
  const { name, ...rest } = known[grammar];
  await astGrep.registerDynamicLanguage({ [name]: { ...rest, libraryPath: locateCarried(wasmOf(grammar)) } });
}

/** The package's own entry imports WebAssembly as a module, which Node calls an experiment, and warns of. */
async function load(): Promise<AstGrep> {
  const glue = (await import('@ast-grep/wasm/wasm_bg.js' as string)) as AstGrep;
  const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: Wasm };
  const module = new WebAssembly.Module(readCarried(astGrepWasm));
  const { exports } = new WebAssembly.Instance(module, { './wasm_bg.js': glue });
  glue.__wbg_set_wasm(exports);
  (exports['__wbindgen_start'] as () => void)();
  await glue.initializeTreeSitter();
  return glue;
}

/** Nothing in languages that no rule is for. Few files mention what a rule is about; the others are not parsed for it. */
export function scanBuiltIn({ grammar, text, hasErrors }: ParsedSource): readonly BuiltInFinding[] {
  return findMatches(
    grammar,
    text,
    ({ mention, form }) => mention.test(text) && (hasErrors || form === undefined || form.test(text)),
  );
}

/** `isAsked`: a test asks all rules of a language, and must find the same. */
export function findMatches(
  grammar: string,
  text: string,
  isAsked: (rule: Rule) => boolean,
): readonly BuiltInFinding[] {
  if (!isKnown(grammar)) return [];
  const { name } = known[grammar];
  const rules = rulesFor(name).filter(isAsked);
  if (rules.length === 0) return [];
  assert(astGrep !== undefined, 'startBuiltInScan was awaited');
  const parsed = astGrep.parse(name, text);
  const root = parsed.root();
  const found: BuiltInFinding[] = [];
  for (const { id, matcher } of rules)
    for (const node of root.findAll(matcher)) {
      found.push({ rule: id, line: node.range().start.line + 1 });
      node.free();
    }
  root.free();
  parsed.free();
  return found;
}

type Rule = {
  readonly id: string;
  readonly matcher: Matcher;
  readonly mention: RegExp;
  readonly form: RegExp | undefined;
};
const rulesByLanguage = new Map<string, readonly Rule[]>();

function rulesFor(language: string): readonly Rule[] {
  let rules = rulesByLanguage.get(language);
  if (rules === undefined) {
    const own = astGrepRulesCatalog.rules.filter(({ languages }) => languages.includes(language));
    rules = own.map(({ id, rule, constraints, mention, form }) => ({
      id,
      matcher: constraints ? { rule, constraints } : { rule },
      mention: new RegExp(mention),
      form: form === undefined ? undefined : new RegExp(form),
    }));
    rulesByLanguage.set(language, rules);
  }
  return rules;
}
