import { expect, test } from 'vitest';
import { discoveryWorldOf, emptyFiles } from '../../../test/support/discovery-world.ts';
import discoverJava from './java-projects.ts';

const pom = (...modules: readonly string[]): string =>
  `<project><modules>${modules.map((name) => `<module>${name}</module>`).join('')}</modules></project>`;
const found = (files: Record<string, string>) =>
  Object.fromEntries(
    discoverJava(discoveryWorldOf(files)).map(({ key, config, members }) => [key, [config.buildTool, ...members]]),
  );

test('gradle: settings make a root, build files below belong to it, without settings the outermost build file', () => {
  expect(
    found({
      ...emptyFiles('app/src/main/java/A.java', 'lib/src/main/kotlin/B.kt', 'other/sub/C.java', 'none/D.java'),
      ...emptyFiles('settings.gradle.kts', 'app/build.gradle', 'lib/build.gradle.kts', 'other/settings.gradle'),
      ...emptyFiles('other/sub/build.gradle'),
    }),
  ).toEqual({
    'java:settings.gradle.kts': ['gradle', 'app/src/main/java/A.java', 'lib/src/main/kotlin/B.kt', 'none/D.java'],
    'java:other/settings.gradle': ['gradle', 'other/sub/C.java'],
  });
  expect(found(emptyFiles('x/build.gradle', 'x/in/build.gradle', 'x/in/A.java', 'y/B.java'))).toEqual({
    'java:x/build.gradle': ['gradle', 'x/in/A.java'],
  });
});

test('maven: modules belong to the file that names them, also in profiles; others are roots', () => {
  expect(
    found({
      ...emptyFiles('core/src/main/java/A.java', 'web/sub/B.java', 'beside/C.java', 'extra/D.java'),
      'pom.xml': `<project><modules><module>core</module></modules><profiles><profile><modules><module>web</module></modules></profile></profiles></project>`,
      'core/pom.xml': '<project/>',
      'web/pom.xml': pom('sub/pom.xml'),
      'web/sub/pom.xml': '<project/>',
      'beside/pom.xml': pom('../extra'),
      'extra/pom.xml': '<project/>',
    }),
  ).toEqual({
    'java:pom.xml': ['maven', 'core/src/main/java/A.java', 'web/sub/B.java'],
    'java:beside/pom.xml': ['maven', 'beside/C.java', 'extra/D.java'],
  });
});

test('sbt, and two tools in one directory', () => {
  expect(found(emptyFiles('build.sbt', 'src/main/scala/A.scala', 'sub/build.sbt', 'sub/B.java'))).toEqual({
    'java:build.sbt': ['sbt', 'src/main/scala/A.scala', 'sub/B.java'],
  });
  expect(found({ ...emptyFiles('build.gradle', 'A.java'), 'pom.xml': '<project/>' })).toEqual({
    'java:build.gradle': ['gradle', 'A.java'],
  });
});

test('scripts, resources and buildSrc are no members; sources without a build have no context', () => {
  expect(
    found(
      emptyFiles(
        ...['build.gradle.kts', 'A.java', 'buildSrc/src/main/java/B.java', 'buildSrc/build.gradle.kts'],
        ...['src/test/resources/C.java', 'gradle/x.kts'],
      ),
    ),
  ).toEqual({ 'java:build.gradle.kts': ['gradle', 'A.java'] });
  expect(found(emptyFiles('src/A.java'))).toEqual({});
});

test('all build files below decide the configuration; sources do not', () => {
  const files = emptyFiles('settings.gradle', 'a/build.gradle', 'a/A.java');
  const inputsOf = (more: Record<string, string>) =>
    JSON.stringify(discoverJava(discoveryWorldOf({ ...files, ...more }))[0]?.configInputs);
  const before = inputsOf({});
  for (const path of ['a/build.gradle', 'settings.gradle', 'gradle/publish.gradle', 'gradle.properties']) {
    expect(inputsOf({ [path]: '// 2' })).not.toBe(before);
  }
  expect(inputsOf({ 'a/A.java': 'class A {}' })).toBe(before);
});

test('hostile: two projects that name each other as modules, and themselves', () => {
  expect(found({ 'a/pom.xml': pom('../b', '.'), 'b/pom.xml': pom('../a'), 'a/A.java': '', 'b/B.java': '' })).toEqual({
    'java:a/pom.xml': ['maven', 'a/A.java', 'b/B.java'],
  });
});
