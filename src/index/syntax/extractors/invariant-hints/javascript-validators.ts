/** Schemas of validation libraries: what a file declares with the names it has imported from one. */

import type { Node } from 'web-tree-sitter';
import { listChildren, type Visitors } from '../../walk-tree.ts';
import type { HintNotes, ValidatorLibrary } from './hints.ts';

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

export function createValidatorNames(notes: HintNotes): {
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
