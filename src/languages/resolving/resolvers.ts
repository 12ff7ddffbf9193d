/** Which resolver answers for which language. A new language is a new file and a line here. */

import { createCFamilyResolve } from '../c/c-resolve.ts';
import { createCSharpResolve } from '../csharp/csharp-resolve.ts';
import { createGoResolve } from '../go/go-resolve.ts';
import { createJavaResolve } from '../java/java-resolve.ts';
import { createPhpResolve } from '../php/php-resolve.ts';
import { createPythonResolve } from '../python/python-resolve.ts';
import { createRubyResolve } from '../ruby/ruby-resolve.ts';
import { createRustResolve } from '../rust/rust-resolve.ts';
import { createJavaScriptResolve } from '../typescript/typescript-resolve.ts';
import {
  type CreateResolve,
  type ImportRequest,
  type Resolution,
  type Resolve,
  type ResolveWorld,
  unresolved,
} from './resolution.ts';

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
