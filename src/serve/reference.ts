/**
 * The documents that are made from the code: `schemas/` and the pages of `docs/reference/` below the command line.
 * Pure and deterministic: the same code gives the same bytes, which is what `npm run gen:check` compares.
 */

import { compareCodeUnits } from '../kernel/base/json.ts';
import { probes } from '../probes/registry.gen.ts';
import { answerSchemaName, answerSchemaOf, mutationSchemaName, mutationSchemaOf } from './answer-schemas.ts';
import { routes } from './http/routes.ts';
import { tools } from './mcp/tools.ts';
import { mutations } from './mutations.gen.ts';
import { operations } from './operations.gen.ts';
import { renderChangesPage } from './reference/changes-page.ts';
import { renderConfigPage } from './reference/config-page.ts';
import { renderHttpPage, renderOpenApi } from './reference/http-page.ts';
import { renderIdsPage } from './reference/ids-page.ts';
import { renderMcpPage } from './reference/mcp-page.ts';
import { renderOperationsPage } from './reference/operations-page.ts';
import { renderProbesPage } from './reference/probes-page.ts';
import { renderToolsPage } from './reference/tools-page.ts';
import { schemaOf, sectionNames } from './section-schemas.ts';

/** File name → text of every JSON Schema. */
export function renderSchemas(): Record<string, string> {
  const sections = sectionNames().map((name) => [name, schemaOf(name)] as const);
  const answers = operations.map((operation) => [answerSchemaName(operation.name), answerSchemaOf(operation)] as const);
  const changes = mutations.map((mutation) => [mutationSchemaName(mutation.name), mutationSchemaOf(mutation)] as const);
  const named = [...sections, ...answers, ...changes];
  return {
    ...Object.fromEntries(named.map(([name, schema]) => [`${name}.json`, `${JSON.stringify(schema, null, 2)}\n`])),
    'openapi.json': renderOpenApi(),
  };
}

/** File name → text of every reference page but the one about the command line, which `cli` knows. */
export function renderReference(): Record<string, string> {
  const byName = [...probes].sort((a, b) => compareCodeUnits(a.layer + a.name, b.layer + b.name));
  return {
    'changes.md': renderChangesPage(mutations),
    'config.md': renderConfigPage(),
    'http.md': renderHttpPage(routes),
    'ids.md': renderIdsPage(byName),
    'mcp.md': renderMcpPage(tools),
    'operations.md': renderOperationsPage(operations),
    'probes.md': renderProbesPage(byName),
    'tools.md': renderToolsPage(byName),
  };
}
