/**
 * Where a file says what must hold: assertions, guards that throw, validators, titles of tests, tags of contracts. Hints for a reader,
 * taken from the form of the code alone.
 */

import { redactString } from '../../kernel/secrets/redact-string.ts';
import type { GrammarName } from '../../languages/languages.ts';
import type { ParsedSource } from '../../languages/parsing/parse-source.ts';
import type { Node } from '../../languages/parsing/syntax-node.ts';
import { listChildren, type Visitors, walkTree } from '../../languages/parsing/walk-tree.ts';

const visitorsByGrammar: Partial<Record<GrammarName, (notes: HintNotes) => Visitors>> = {
  typescript: javascriptHintVisitors,
  tsx: javascriptHintVisitors,
  javascript: javascriptHintVisitors,
  python: pythonHintVisitors,
  go: goHintVisitors,
};

/** Other languages have none. */
export function extractInvariantHints({ grammar, root, text }: ParsedSource): InvariantHints {
  const { notes, hints } = createHints(text);
  const visitors = visitorsByGrammar[grammar];
  if (visitors !== undefined) walkTree(root, visitors(notes));
  return hints;
}

// JavaScript and TypeScript.

const asserts = /^(?:console\.)?assert(?:\.[A-Za-z]+){0,2}$/;
const invariants = /^(?:invariant|tinyInvariant|precondition|postcondition)$/;
/** Functions whose argument has the type `never`, by the names they are given. */
const exhaustive = /^(?:assertNever|assertUnreachable|unreachable|exhaustive|exhaustiveCheck|absurd)$/;
const cases = /^(?:it|test|specify|[xf]it|xtest|xspecify)(?:\.(?!describe\b)[A-Za-z]+){0,4}$/;
/** `it.each(table)` and its kin, whose call is the case. */
const builtCases = /^(?:it|test|specify)(?:\.[A-Za-z]+){0,3}\.(?:each|for|skipIf|runIf)\b/;
const subtests = /^[A-Za-z_$][\w$]{0,40}\.(?:test|it)$/;
/** Every call above begins like this. */
const interesting =
  /(?:console\.)?(?:assert|invariant|tinyInvariant|precondition|postcondition|unreachable|exhaustive|absurd|it|test|specify|[xf]it|xtest|xspecify)[\w.(]|[A-Za-z_$][\w$]{0,40}\.(?:test|it)\(/y;
const functions = new Set(['arrow_function', 'function_expression', 'generator_function']);
const calleeChars = 80;

const tagPattern =
  /^[ \t]{0,80}(?:\/\*\*)?[ \t*]{0,40}@(throws|exception|deprecated|internal|invariant|pre|precondition|post|postcondition)\b/gm;
const tags: Readonly<Record<string, ContractTag>> = {
  throws: 'throws',
  exception: 'throws',
  deprecated: 'deprecated',
  internal: 'internal',
  invariant: 'invariant',
  pre: 'pre',
  precondition: 'pre',
  post: 'post',
  postcondition: 'post',
};

function javascriptHintVisitors(notes: HintNotes): Visitors {
  const validators = createValidatorNames(notes);
  return {
    ...validators.visitors,
    call_expression(call) {
      if (!notes.beginsWith(call, interesting)) return undefined;
      const callee = call.childForFieldName('function');
      if (callee === null) return undefined;
      const name = notes.head(callee, calleeChars);
      if (asserts.test(name)) notes.assertion('assert', call);
      else if (invariants.test(name)) notes.assertion('invariant', call);
      else if (exhaustive.test(name)) notes.assertion('exhaustive_never', call);
      else readCase(call, callee, name);
      return undefined;
    },
    if_statement(node) {
      const body = node.childForFieldName('consequence');
      const first = body?.type === 'statement_block' ? listChildren(body)[0] : body;
      if (first?.type !== 'throw_statement' || node.childForFieldName('alternative') !== null) return undefined;
      // An error that is only passed on is no rule of this place.
      if (listChildren(first)[0]?.type !== 'identifier') notes.assertion('throw_guard', node);
      return undefined;
    },
    type_predicate_annotation: typeGuard,
    asserts_annotation: typeGuard,
    variable_declarator(node) {
      validators.declarator(node);
      const type = node.childForFieldName('type');
      if (type !== null && /^:\s{0,20}never$/.test(notes.head(type, 30))) notes.assertion('exhaustive_never', node);
      return undefined;
    },
    satisfies_expression(node) {
      const type = node.namedChildren.at(-1);
      if (type !== undefined && notes.head(type, 10) === 'never') notes.assertion('exhaustive_never', node);
      return undefined;
    },
    comment(node) {
      if (notes.head(node, 3) === '/**') readTags(notes, node, tagPattern, tags);
      return undefined;
    },
  };

  function typeGuard(node: Node): undefined {
    const { parent } = node;
    if (parent !== null) notes.assertion('type_guard', parent, { start: parent.startIndex, end: node.endIndex });
  }

  function readCase(call: Node, callee: Node, name: string): void {
    const isBuilt = callee.type === 'call_expression' && builtCases.test(name);
    const isSubtest = subtests.test(name);
    if (!isBuilt && !isSubtest && !cases.test(name)) return;
    const parameters = call.childForFieldName('arguments');
    if (parameters?.type !== 'arguments') return;
    const given = listChildren(parameters);
    const [title] = given;
    if (title?.type !== 'string' && title?.type !== 'template_string') return;
    if (isSubtest && !given.some(({ type }) => functions.has(type))) return;
    notes.title(call, notes.head(title, 1_000));
  }
}

// Python.

const pythonTagPattern = /^[ \t]{0,80}(?:["']{3})?[ \t]{0,80}(:raises?\b|raises:|\.\. deprecated::)/gim;
const pythonTags: Readonly<Record<string, ContractTag>> = {
  ':raises': 'throws',
  ':raise': 'throws',
  'raises:': 'throws',
  '.. deprecated::': 'deprecated',
};
const models = new Set(['BaseModel', 'RootModel', 'BaseSettings', 'GenericModel']);

function pythonHintVisitors(notes: HintNotes): Visitors {
  /** Names of classes that are models: imported, or declared here as one. */
  const known = new Set<string>();
  return {
    assert_statement(node) {
      notes.assertion('assert', node);
      return undefined;
    },
    if_statement(node) {
      const body = node.childForFieldName('consequence');
      const [first] = listChildren(body);
      if (first?.type !== 'raise_statement' || node.childForFieldName('alternative') !== null) return undefined;
      // `raise` and `raise error` pass an error on, which is no rule of this place; classes begin with a capital.
      if (/^raise\s+(?![a-z_]\w*\s*$)\S/.test(notes.head(first, 200))) notes.assertion('throw_guard', node);
      return undefined;
    },
    call(node) {
      const callee = node.childForFieldName('function');
      if (callee !== null && /^(?:typing(?:_extensions)?\.)?assert_never$/.test(notes.head(callee, 40))) {
        notes.assertion('exhaustive_never', node);
      }
      return undefined;
    },
    function_definition(node) {
      const name = node.childForFieldName('name');
      const returns = node.childForFieldName('return_type');
      if (name !== null && /^test(?:_|[A-Z0-9]|$)/.test(notes.head(name, 200)))
        notes.title(node, notes.head(name, 200));
      if (returns !== null && /^(?:\w{1,40}\.)?Type(?:Guard|Is)\[/.test(notes.head(returns, 60))) {
        notes.assertion('type_guard', node, { start: node.startIndex, end: returns.endIndex });
      }
      return undefined;
    },
    import_from_statement(node) {
      const module = node.childForFieldName('module_name');
      if (module === null || !/^pydantic(?:_settings)?(?:\.|$)/.test(notes.head(module, 60))) return undefined;
      for (const child of listChildren(node).slice(1)) {
        const [name, alias] = [child.childForFieldName('name') ?? child, child.childForFieldName('alias')];
        if (models.has(notes.head(name, 40))) known.add(notes.head(alias ?? name, 100));
      }
      return undefined;
    },
    class_definition(node) {
      const [name, bases] = [node.childForFieldName('name'), node.childForFieldName('superclasses')];
      if (name === null || bases === null) return undefined;
      const isModel = listChildren(bases)
        .slice(0, 20)
        .some((base) => isModelBase(notes.head(base, 100)));
      if (!isModel) return undefined;
      const declared = notes.head(name, 100);
      known.add(declared);
      notes.validator('pydantic', node, declared);
      return undefined;
    },
    string(node: Node) {
      if (node.parent?.type === 'expression_statement') readTags(notes, node, pythonTagPattern, pythonTags);
      return undefined;
    },
  };

  function isModelBase(base: string): boolean {
    const plain = base.split('[')[0] ?? '';
    const [module, name] = plain.split('.');
    return known.has(plain) || (/^pydantic(?:_settings)?$/.test(module ?? '') && models.has(name ?? ''));
  }
}

// Go. An error that is passed on is no guard; one that is made, or a panic, is.

const testName = /^Test(?!\p{Ll})/u;
const deprecated = /^[ \t]{0,80}(?:\/\/|\/\*)?[ \t*]{0,40}(Deprecated):/gm;

function goHintVisitors(notes: HintNotes): Visitors {
  return {
    if_statement(node) {
      const [first] = statementsOf(node.childForFieldName('consequence'));
      const condition = node.childForFieldName('condition');
      if (first === undefined || condition === null || node.childForFieldName('alternative') !== null) return undefined;
      if (/\berr\b/.test(notes.head(condition, 300))) return undefined;
      const written = notes.head(first, 300);
      const throws = /^panic\(/.test(written) || /^return\b[^{]{0,200}\b(?:errors\.New|fmt\.Errorf)\(/.test(written);
      if (throws) notes.assertion('throw_guard', node);
      return undefined;
    },
    function_declaration(node) {
      const [name, parameters] = [node.childForFieldName('name'), node.childForFieldName('parameters')];
      const isTest = name !== null && testName.test(notes.head(name, 200));
      if (isTest && parameters !== null && /\*testing\.T\b/.test(notes.head(parameters, 100))) {
        notes.title(node, notes.head(name, 200));
      }
      return undefined;
    },
    call_expression(node) {
      const callee = node.childForFieldName('function');
      if (callee === null || !/^\w{1,40}\.Run$/.test(notes.head(callee, 50))) return undefined;
      const [title, body] = listChildren(node.childForFieldName('arguments'));
      const isLiteral = title?.type === 'interpreted_string_literal' || title?.type === 'raw_string_literal';
      if (isLiteral && body?.type === 'func_literal') notes.title(node, notes.head(title, 1_000));
      return undefined;
    },
    comment(node) {
      readTags(notes, node, deprecated, { deprecated: 'deprecated' });
      return undefined;
    },
  };
}

/** Newer grammars have a list between a block and its statements. */
function statementsOf(block: Node | null): readonly Node[] {
  const children = listChildren(block);
  return children[0]?.type === 'statement_list' ? listChildren(children[0]) : children;
}

// Schemas of validation libraries: what a file declares with the names it has imported from one.

const libraryOfModule = (module: string): ValidatorLibrary | undefined => {
  const name = module.startsWith('@hapi/joi') ? 'joi' : (module.split('/')[0] ?? '');
  return libraries.find((library) => library === name);
};
const libraries = ['zod', 'yup', 'joi', 'valibot', 'ajv', 'class-validator'] as const;

/** Under these names a library is passed on by a module of the repository. */
const customaryNames: Readonly<Record<string, ValidatorLibrary>> = { z: 'zod', yup: 'yup', Joi: 'joi' };

/** What uses a schema instead of making one. */
const uses =
  /^(?:parse|safeParse|parseAsync|safeParseAsync|validate|validateSync|validateAsync|isValid|attempt|assert|cast)$/;
const required = /^require\(\s{0,20}["']([^"'\s]{1,100})["']\s{0,20}\)/;
const root = /^(new\s+)?([A-Za-z_$][\w$]{0,100})\s{0,20}(?=[.(<])/;

function createValidatorNames(notes: HintNotes): {
  readonly visitors: Visitors;
  readonly declarator: (node: Node) => void;
} {
  const bindings = new Map<string, ValidatorLibrary>();
  const compilers = new Set<string>();
  const classes: { readonly node: Node; readonly name: string; noted: boolean }[] = [];

  const bind = (node: Node, library: ValidatorLibrary) => bindings.set(notes.head(node, 100), library);

  function readSchema(place: Node, name: string, value: Node): void {
    const match = root.exec(notes.head(value, 140));
    const [, made, first = ''] = match ?? [];
    if (made !== undefined && bindings.get(first) === 'ajv') {
      compilers.add(name);
      return;
    }
    const callee = value.type === 'call_expression' ? value.childForFieldName('function') : null;
    if (callee === null || made !== undefined) return;
    const property = callee.type === 'member_expression' ? callee.childForFieldName('property') : null;
    const last = property === null ? '' : notes.head(property, 40);
    const library = compilers.has(first) ? 'ajv' : bindings.get(first);
    if (library === undefined || library === 'class-validator' || uses.test(last)) return;
    if (library === 'ajv' && !/^compile(?:Async)?$/.test(last)) return;
    notes.validator(library, place, name);
  }

  const enterClass = (node: Node) => {
    const name = node.childForFieldName('name');
    classes.push({ node, name: name === null ? '(anonymous)' : notes.head(name, 200), noted: false });
    return () => void classes.pop();
  };

  return {
    declarator(node) {
      const [name, value] = [node.childForFieldName('name'), node.childForFieldName('value')];
      if (name === null || value === null) return;
      const library = libraryOfModule(required.exec(notes.head(value, 160))?.[1] ?? '');
      if (library === undefined) {
        if (name.type === 'identifier') readSchema(node, notes.head(name, 200), value);
        return;
      }
      if (name.type === 'identifier') bind(name, library);
      for (const child of name.type === 'object_pattern' ? listChildren(name) : []) {
        const bound = child.type === 'pair_pattern' ? child.childForFieldName('value') : child;
        if (bound !== null) bind(bound, library);
      }
    },
    visitors: {
      import_statement(node) {
        const source = node.childForFieldName('source');
        const module = source === null ? '' : notes.head(source, 100).slice(1, -1);
        const library = libraryOfModule(module);
        const clause = node.namedChildren.find(({ type }) => type === 'import_clause');
        if (clause === undefined || (library === undefined && !/^[.#@~]/.test(module))) return undefined;
        for (const part of listChildren(clause)) {
          for (const inner of part.type === 'identifier' ? [part] : listChildren(part)) {
            const bound = inner.childForFieldName('alias') ?? inner.childForFieldName('name') ?? inner;
            const meant = library ?? customaryLibrary(notes.head(bound, 10));
            if (meant !== undefined) bind(bound, meant);
          }
        }
        return undefined;
      },
      export_statement(node) {
        const value = node.childForFieldName('value');
        if (value !== null) readSchema(node, 'default', value);
        return undefined;
      },
      class_declaration: enterClass,
      abstract_class_declaration: enterClass,
      class: enterClass,
      decorator(node) {
        const name = /^@([A-Za-z_$][\w$]{0,100})/.exec(notes.head(node, 110))?.[1] ?? '';
        const around = classes.at(-1);
        if (around === undefined || around.noted || bindings.get(name) !== 'class-validator') return undefined;
        around.noted = true;
        notes.validator('class-validator', around.node, around.name);
        return undefined;
      },
    },
  };
}

function customaryLibrary(name: string): ValidatorLibrary | undefined {
  return Object.hasOwn(customaryNames, name) ? customaryNames[name] : undefined;
}

// What the visitors of one file add to, and how they quote it.

const assertionKinds = ['assert', 'invariant', 'throw_guard', 'type_guard', 'exhaustive_never'] as const;
type AssertionKind = (typeof assertionKinds)[number];
const validatorLibraries = ['zod', 'yup', 'joi', 'valibot', 'ajv', 'class-validator', 'pydantic'] as const;
type ValidatorLibrary = (typeof validatorLibraries)[number];
const contractTags = ['throws', 'deprecated', 'internal', 'invariant', 'pre', 'post'] as const;
type ContractTag = (typeof contractTags)[number];

/** Lines count from 1. */
export type InvariantHints = {
  readonly assertions: readonly { readonly line: number; readonly kind: AssertionKind; readonly text: string }[];
  readonly validators: readonly { readonly line: number; readonly library: ValidatorLibrary; readonly name: string }[];
  readonly titles: readonly { readonly line: number; readonly title: string }[];
  readonly contracts: readonly { readonly line: number; readonly tag: ContractTag }[];
};

interface HintNotes {
  /** The beginning of a node as it is written. Every look at the source is of bounded length. */
  head(node: Node, chars: number): string;
  /** Does a sticky pattern match where a node begins? Spares most nodes a closer look. */
  beginsWith(node: Node, pattern: RegExp): boolean;
  assertion(kind: AssertionKind, node: Node, quoted?: { readonly start: number; readonly end: number }): void;
  validator(library: ValidatorLibrary, node: Node, name: string): void;
  /** `literal` with its quotes. */
  title(node: Node, literal: string): void;
  contract(tag: ContractTag, line: number): void;
}

const maxTextChars = 200;

function createHints(text: string): { readonly notes: HintNotes; readonly hints: InvariantHints } {
  const hints = {
    assertions: [] as { line: number; kind: AssertionKind; text: string }[],
    validators: [] as { line: number; library: ValidatorLibrary; name: string }[],
    titles: [] as { line: number; title: string }[],
    contracts: [] as { line: number; tag: ContractTag }[],
  };
  const lineOf = (node: Node) => node.startPosition.row + 1;
  const notes: HintNotes = {
    head: ({ startIndex, endIndex }, chars) => text.slice(startIndex, Math.min(endIndex, startIndex + chars)),
    beginsWith({ startIndex }, pattern) {
      pattern.lastIndex = startIndex;
      return pattern.test(text);
    },
    assertion(kind, node, { start, end } = { start: node.startIndex, end: node.endIndex }) {
      hints.assertions.push({ line: lineOf(node), kind, text: quote(text, start, end) });
    },
    validator(library, node, name) {
      hints.validators.push({ line: lineOf(node), library, name: name.slice(0, maxTextChars) });
    },
    title(node, literal) {
      const plain = literal.replace(/^[a-zA-Z]{0,2}["'`]+/, '').replace(/["'`]{1,3}$/, '');
      hints.titles.push({ line: lineOf(node), title: quote(plain, 0, plain.length) });
    },
    contract: (tag, line) => void hints.contracts.push({ line, tag }),
  };
  return { notes, hints };
}

/** One line, at most 200 characters, cut with an ellipsis. Redacted before it is cut: half a secret is not recognised as one. */
function quote(text: string, start: number, end: number): string {
  const isLong = end - start > maxTextChars * 4;
  const source = text.slice(start, isLong ? start + maxTextChars * 4 : end);
  const line = redactString(source, { entropy: false }).text.replace(/\s+/g, ' ').trim();
  if (line.length <= maxTextChars && !isLong) return line;
  // Where white space made room, the last word may be one that was cut before it could be recognised.
  const shown = line.length < maxTextChars ? line.replace(/\S+$/, '') : line.slice(0, maxTextChars - 1);
  return `${shown.replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Where a comment names a tag: at the beginning of one of its lines. */
function readTags(notes: HintNotes, comment: Node, pattern: RegExp, tags: Readonly<Record<string, ContractTag>>): void {
  const text = notes.head(comment, maxCommentChars);
  let [line, from] = [comment.startPosition.row + 1, 0];
  for (const match of text.matchAll(pattern)) {
    for (let next = text.indexOf('\n', from); next !== -1 && next < match.index; next = text.indexOf('\n', from)) {
      line += 1;
      from = next + 1;
    }
    const tag = tags[(match[1] ?? '').toLowerCase()];
    if (tag !== undefined) notes.contract(tag, line);
  }
}

const maxCommentChars = 50_000;
