/** Which resolver answers for which language. A new language is a new file and a line here. */

import { createCFamilyResolve } from './c-family.ts';
import { createCSharpResolve } from './csharp.ts';
import { createGoResolve } from './go.ts';
import { createJavaResolve } from './java.ts';
import { createJavaScriptResolve } from './javascript.ts';
import { createPhpResolve } from './php.ts';
import { createPythonResolve } from './python.ts';
import { createRubyResolve } from './ruby.ts';
import { createRustResolve } from './rust.ts';
import {
  type CreateResolve,
  type ImportRequest,
  type Resolution,
  type Resolve,
  type ResolveWorld,
  unresolved,
} from './types.ts';

export const resolvers: Readonly<Record<string, CreateResolve>> = {
  typescript: createJavaScriptResolve,
  javascript: createJavaScriptResolve,
  python: createPythonResolve,
  go: createGoResolve,
  rust: createRustResolve,
  java: createJavaResolve,
  csharp: createCSharpResolve,
  php: createPhpResolve,
  c: createCFamilyResolve,
  cpp: createCFamilyResolve,
  ruby: createRubyResolve,
};

export type Resolver = (language: string | null, from: string, request: ImportRequest) => Resolution;

/** Languages of one family share one resolver and what it has read. What has no resolver has no imports that mean files. */
export function createResolver(world: ResolveWorld): Resolver {
  const made = new Map<CreateResolve, Resolve>();
  return (language, from, request) => {
    const create = language !== null && Object.hasOwn(resolvers, language) ? resolvers[language] : undefined;
    if (create === undefined) return unresolved('not_found');
    let resolve = made.get(create);
    if (resolve === undefined) {
      resolve = create(world);
      made.set(create, resolve);
    }
    return resolve(from, request);
  };
}
