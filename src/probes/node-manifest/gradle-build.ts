/**
 * What a Gradle build file declares, read as text. The file is a program and is not run: dependencies that stand as plain lines in its own
 * `dependencies` block are counted, and where a program decides (a condition, a loop, a block for other projects) the count is not complete.
 */

import { type ManifestFacts, noFacts, shown } from '../shared/manifest-facts.ts';

export function readGradleBuild(text: string): ManifestFacts {
  const code = dropComments(text);
  const runtime = new Set<string>();
  const dev = new Set<string>();
  let isComplete = !/(^|\n)\s*(subprojects|allprojects|configure\s*\(|sourceSets\b[\s\S]*?\bdependencies)\b/.test(code);
  if (/(^|\n)\s*apply\s*\(?\s*from\b/.test(code)) isComplete = false;
  for (const block of topBlocks(code, 'dependencies')) {
    let depth = 0;
    // A list of coordinates may go over several lines.
    for (const raw of block.replace(/,\s*\n\s*/g, ', ').split('\n')) {
      const line = raw.trim();
      const isOwn = depth === 0;
      depth += count(line, '{') - count(line, '}');
      // In a condition it may be declared: that is enough to name it, not to count.
      if (line === '' || line.startsWith('}') || (!isOwn && !plainConfiguration.test(line))) continue;
      const [, configuration, rest = ''] = /^"?([a-z][A-Za-z0-9]*)"?[\s(]+(.+)$/.exec(line) ?? [];
      if (configuration === undefined || /^(?:if|for|constraints|else|while|def|val|var)$/.test(configuration)) {
        isComplete = false;
        continue;
      }
      if (/^[a-z][A-Za-z0-9]*\.each\b/.test(line)) isComplete = false;
      const slot = /test|^developmentOnly$|^jmh|^checkstyle$|^detektPlugins$|^ktlint/i.test(configuration)
        ? dev
        : runtime;
      for (const name of declaredIn(rest)) slot.add(`${configuration} ${name}`);
    }
  }
  const java = javaOf(code);
  const plugins = [...code.matchAll(/\bid\s*\(?\s*['"]([\w.-]+)['"]/g)].map(([, id = '']) => id);
  const aliases = [...code.matchAll(/\balias\(\s*libs\.plugins\.([\w.]+)/g)].map(([, name = '']) => name);
  const platforms = [...plugins, ...aliases];
  return {
    ...noFacts,
    runtime,
    dev,
    isComplete,
    platforms,
    engines: java === null ? [] : [{ name: 'java', range: java }],
  };
}

const plainConfiguration =
  /^(?:api|implementation|compileOnly(?:Api)?|runtimeOnly|annotationProcessor|test(?:Implementation|RuntimeOnly|CompileOnly))[\s(]/;

/** Coordinates in quotes, `libs.x.y` of a version catalog, `project(…)`, and what wraps one of them. */
function declaredIn(rest: string): readonly string[] {
  const quoted = [...rest.matchAll(/['"]([^'"\s]+:[^'"\s]*)['"]/g)].map(([, name = '']) => name);
  if (quoted.length > 0) return quoted;
  const group = /group\s*[:=]\s*['"]([^'"]+)['"].*?name\s*[:=]\s*['"]([^'"]+)['"]/.exec(rest);
  if (group !== null) return [`${group[1]}:${group[2]}`];
  return [rest.replace(/[{\s]+$/, '').slice(0, 200)];
}

function javaOf(code: string): string | null {
  const patterns = [
    /JavaLanguageVersion\.of\(\s*['"]?(\d+)['"]?\s*\)/,
    /jvmToolchain\(\s*(\d+)\s*\)/,
    /options\.release(?:\s*=\s*|\.set\()\s*(\d+)/,
    /(?:source|target)Compatibility\s*=?\s*(?:JavaVersion\.VERSION_|['"]?)(1[._]\d|\d+)/,
  ];
  for (const pattern of patterns) {
    const found = pattern.exec(code)?.[1];
    if (found !== undefined) return shown(found.replace(/^1[._]/, ''));
  }
  return null;
}

/** Line comments that stand alone or after a blank, so that `https://` stays. */
function dropComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

/** The insides of the blocks of this name that lie in no other block. */
function topBlocks(code: string, name: string): readonly string[] {
  const blocks: string[] = [];
  const opens = new RegExp(`\\b${name}\\s*$`);
  let depth = 0;
  let start = -1;
  for (let at = 0; at < code.length; at += 1) {
    if (code[at] === '{') {
      if (depth === 0) start = opens.test(code.slice(Math.max(0, at - 80), at)) ? at + 1 : -1;
      depth += 1;
    } else if (code[at] === '}') {
      depth -= 1;
      if (depth === 0 && start >= 0) blocks.push(code.slice(start, at));
      if (depth <= 0) [depth, start] = [0, -1];
    }
  }
  return blocks;
}

function count(line: string, mark: string): number {
  return line.split(mark).length - 1;
}
