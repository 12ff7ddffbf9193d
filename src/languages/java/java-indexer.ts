/**
 * scip-java runs the project's own build (Gradle, Maven, sbt) with a compiler plug-in: repository code, so only in the sandbox, offline.
 * The tree is read-only there: a build that insists on writing beside its sources fails, which is a named gap and not a reason to let it.
 */

import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import {
  classifyExit,
  type IndexerAdapter,
  type IndexerContext,
  type Invocation,
  type PlanWorld,
  textIn,
} from '../indexers/indexer-adapter.ts';
import { belowHome, existing, type Found, findOnPath, type Machine, readText, safePath } from '../indexers/machine.ts';

const memoryMb = 6144;

/** Reads of `config`: `buildTool` (`gradle`, `maven`, `sbt`). */
export const scipJava: IndexerAdapter = {
  id: 'scip-java',
  family: 'java',
  tool: 'scip-java',
  granularity: 'project',
  executesRepoCode: true,
  minVersion: '0.8.0',
  timeoutMs: 60 * 60_000,
  memoryMb,
  positionEncoding: 2,
  gaps: ['build_writes_into_tree'],
  passes: [],
  argumentsKey: 'index --output --targetroot --temporary-directory; offline',
  findEnvironment(place) {
    const environment = findJava(place);
    return environment === undefined
      ? { environment: {}, missing: 'java is not on PATH. Install a JDK.' }
      : { environment };
  },
  plan: planRun,
  classifyExit: (outcome) =>
    classifyExit(outcome, /No build tool detected|Multiple build tools detected|Could not resolve|offline mode/),
};

function planRun(context: IndexerContext, world: PlanWorld): Invocation {
  const { jobDir, environment } = world;
  const { JAVA_HOME = '', PATH = '', GRADLE_USER_HOME = '', MAVEN_REPOSITORY = '' } = environment;
  const output = join(jobDir, 'out.scip');
  const buildTool = textIn(context.config, 'buildTool');
  return {
    args: [
      ...['index', '--output', output, '--targetroot', join(jobDir, 'targetroot')],
      ...['--temporary-directory', join(jobDir, 'tmp')],
      ...(buildTool === undefined ? [] : ['--build-tool', buildTool]),
      ...(buildTool === undefined ? [] : ['--', ...offlineBuild(buildTool, jobDir, MAVEN_REPOSITORY)]),
    ],
    cwd: join(world.repoRoot, context.root),
    env: {
      PATH: JAVA_HOME === '' ? PATH : `${join(JAVA_HOME, 'bin')}:${PATH}`,
      JAVA_HOME,
      JAVA_TOOL_OPTIONS: `-Xmx${memoryMb}m -Duser.home=${join(jobDir, 'home')} -Djava.io.tmpdir=${join(jobDir, 'tmp')}`,
      GRADLE_USER_HOME: join(jobDir, 'gradle'),
      ...(GRADLE_USER_HOME === '' ? {} : { GRADLE_RO_DEP_CACHE: join(GRADLE_USER_HOME, 'caches') }),
    },
    output,
    files: {},
    readable: [JAVA_HOME, GRADLE_USER_HOME === '' ? '' : join(GRADLE_USER_HOME, 'caches'), MAVEN_REPOSITORY].filter(
      (path) => path !== '',
    ),
    documentBase: context.root,
  };
}

/** The tool's own default build, told not to use the network and to keep its caches in the job dir. */
function offlineBuild(buildTool: string, jobDir: string, mavenRepository: string): readonly string[] {
  switch (buildTool) {
    case 'gradle':
      return [
        '--offline',
        '--no-daemon',
        '--project-cache-dir',
        join(jobDir, 'gradle-project'),
        'clean',
        'scipPrintDependencies',
        'scipCompileAll',
      ];
    case 'maven':
      return [
        ...['--batch-mode', '--offline', 'clean', 'verify', '-DskipTests'],
        ...(mavenRepository === '' ? [] : [`-Dmaven.repo.local=${mavenRepository}`]),
      ];
    default:
      return [];
  }
}

/** `release` of a JDK has `JAVA_VERSION="17.0.9"`. */
export function findJava(machine: Machine): Found | undefined {
  const java = findOnPath('java', machine);
  const home =
    machine.environment['JAVA_HOME'] ?? (java === undefined ? undefined : dirname(dirname(realpathSync(java))));
  if (home === undefined || !existsSync(join(home, 'bin/java'))) return undefined;
  const version = /^JAVA_VERSION="([^"]+)"/m.exec(readText(join(home, 'release')))?.[1] ?? 'unknown';
  return {
    JAVA_HOME: home,
    JAVA_VERSION: version,
    GRADLE_USER_HOME: existing(machine.environment['GRADLE_USER_HOME'] ?? belowHome(machine, '.gradle')),
    MAVEN_REPOSITORY: existing(belowHome(machine, '.m2/repository')),
    PATH: safePath(machine),
  };
}
