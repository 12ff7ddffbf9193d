/** What a pom.xml or a .csproj says, as far as names and counts go. Properties and inherited values are not evaluated. */

import { singleLine } from '../../kernel/base/text.ts';
import type { XmlElement } from '../../kernel/formats/xml.ts';
import { type ManifestFacts, noFacts, shown } from './manifest-facts.ts';

export function readPom(project: XmlElement): ManifestFacts {
  const parent = childOf(project, 'parent');
  const dependencies = childrenOf(childOf(project, 'dependencies'), 'dependency').map((each) => ({
    name: `${textOf(each, 'groupId') ?? ''}:${textOf(each, 'artifactId') ?? ''}`,
    isTest: textOf(each, 'scope') === 'test',
  }));
  const release = textOf(childOf(project, 'properties'), 'maven.compiler.release');
  const java = release ?? textOf(childOf(project, 'properties'), 'java.version');
  return {
    name: textOf(project, 'artifactId'),
    version: textOf(project, 'version') ?? textOf(parent, 'version'),
    runtime: new Set(dependencies.filter((each) => !each.isTest).map((each) => each.name)),
    dev: new Set(dependencies.filter((each) => each.isTest).map((each) => each.name)),
    engines: java === null ? [] : [{ name: 'java', range: java }],
  };
}

/** SDK-style projects: one `PackageReference` per dependency, private assets count as development ones. */
export function readCsproj(project: XmlElement): ManifestFacts {
  const groups = childrenOf(project, 'PropertyGroup');
  const property = (name: string) => groups.map((group) => textOf(group, name)).find((text) => text !== null) ?? null;
  const references = childrenOf(project, 'ItemGroup').flatMap((group) => childrenOf(group, 'PackageReference'));
  const isPrivate = (each: XmlElement) =>
    (each.attributes.get('PrivateAssets') ?? textOf(each, 'PrivateAssets'))?.toLowerCase() === 'all';
  const names = (items: readonly XmlElement[]) =>
    new Set(items.flatMap((each) => each.attributes.get('Include') ?? []));
  const framework = property('TargetFramework') ?? property('TargetFrameworks');
  return {
    ...noFacts,
    name: property('PackageId') ?? property('AssemblyName'),
    version: property('Version'),
    runtime: names(references.filter((each) => !isPrivate(each))),
    dev: names(references.filter(isPrivate)),
    engines: framework === null ? [] : [{ name: 'dotnet', range: framework }],
  };
}

function childrenOf(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

function textOf(element: XmlElement | undefined, name: string): string | null {
  const text = singleLine(childOf(element, name)?.text ?? '').trim();
  return text === '' ? null : shown(text);
}
