/**
 * The gathered context as documents: `codegenie://context/<section>` (JSON) and `codegenie://report` (Markdown). Whole: who reads a
 * document asks for all of it; the tool `repo_context` gives the same in pieces.
 */

import type { Workspace } from '../workspace.ts';
import { findInContext, readContext } from './read-context.ts';

export const reportUri = 'codegenie://report';
const contextUri = 'codegenie://context/';

export type ListedResource = { readonly uri: string; readonly name: string; readonly mimeType: string };
export type ResourceText = { readonly uri: string; readonly mimeType: string; readonly text: string };

export const resourceTemplates = [
  {
    uriTemplate: `${contextUri}{section}`,
    name: 'section of the gathered context',
    mimeType: 'application/json',
  },
] as const;

/** Nothing, until there is a context. */
export async function listResources(workspace: Workspace): Promise<readonly ListedResource[]> {
  const context = await readContext(workspace);
  if (context.kind !== 'context') return [];
  return [
    { uri: reportUri, name: 'report', mimeType: 'text/markdown' },
    ...context.sections.map(({ name }) => ({ uri: uriOf(name), name, mimeType: 'application/json' })),
  ];
}

/** Undefined for what there is not. */
export async function readResource(workspace: Workspace, uri: string): Promise<ResourceText | undefined> {
  const section = uri.startsWith(contextUri) ? decode(uri.slice(contextUri.length)) : undefined;
  if (uri !== reportUri && (section === undefined || section === '')) return undefined;
  const context = await readContext(workspace);
  if (context.kind !== 'context') return undefined;
  if (section === undefined) return { uri, mimeType: 'text/markdown', text: context.markdown };
  const value = findInContext(context.envelope, section);
  return value === undefined ? undefined : { uri, mimeType: 'application/json', text: JSON.stringify(value, null, 2) };
}

function uriOf(section: string): string {
  return `${contextUri}${encodeURIComponent(section)}`;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
