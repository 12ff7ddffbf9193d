/** Frameworks that a repository's dependency names give away (probes.md, language_detection). Names only, never code. */

import type { JsonObject } from '../../kernel/base/json.ts';
import { namesIn } from './manifest-facts.ts';

export function nodeDependencyNames(manifest: JsonObject): readonly string[] {
  return [...namesIn(manifest['dependencies']), ...namesIn(manifest['devDependencies'])];
}

export function nodeFrameworks(dependencies: Iterable<string>): readonly string[] {
  return lookUp(dependencies, (name) => byNodePackage.get(name));
}

/** Names in the form of PEP 503. */
export function pythonFrameworks(dependencies: Iterable<string>): readonly string[] {
  return lookUp(dependencies, (name) => (pythonPackages.has(name) ? name : undefined));
}

/** Module paths, with or without a major version suffix. */
export function goFrameworks(modules: Iterable<string>): readonly string[] {
  return lookUp(modules, (path) => byGoModule.get(path.replace(/\/v\d+$/, '')));
}

export function rustFrameworks(crates: Iterable<string>): readonly string[] {
  return lookUp(crates, (name) => (rustCrates.has(name) ? name : undefined));
}

/** Build files of the JVM are programs; only the group id that every Spring Boot build spells out is looked for. */
export function javaFrameworks(buildFile: string): readonly string[] {
  return buildFile.includes('org.springframework.boot') ? ['spring-boot'] : [];
}

function lookUp(names: Iterable<string>, find: (name: string) => string | undefined): readonly string[] {
  const found = new Set<string>();
  for (const name of names) {
    const framework = find(name);
    if (framework !== undefined) found.add(framework);
  }
  return [...found];
}

const byNodePackage: ReadonlyMap<string, string> = new Map([
  ...['express', 'fastify', 'next', 'koa', 'react', 'vue', 'svelte', 'astro', 'remix', 'nuxt', 'electron'].map(
    (name): [string, string] => [name, name],
  ),
  ['@nestjs/core', 'nestjs'],
  ['@hapi/hapi', 'hapi'],
  ['@angular/core', 'angular'],
  ['@remix-run/node', 'remix'],
  ['@remix-run/react', 'remix'],
  ['@remix-run/server-runtime', 'remix'],
]);
const pythonPackages: ReadonlySet<string> = new Set(['django', 'flask', 'fastapi']);
const byGoModule: ReadonlyMap<string, string> = new Map([
  ['github.com/gin-gonic/gin', 'gin'],
  ['github.com/labstack/echo', 'echo'],
]);
const rustCrates: ReadonlySet<string> = new Set(['actix-web', 'axum']);
