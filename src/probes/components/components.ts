/**
 * What the tree consists of: packages, services, applications, libraries, tools, and apart from them examples, benchmarks, tests,
 * documentation and infrastructure. Other facts hang on these: what stands in an example is never a fact of the product.
 */

import { defineProbe } from '../../gather/contract.ts';
import { componentFacts, spineOf } from './components-facts.ts';
import { componentsSection, starterGlob } from './components-section.ts';
import { workspaceGlobs } from './workspaces.ts';

export default defineProbe({
  name: 'components',
  version: '0.6.1',
  layer: 'A',
  says: 'The parts of the repository, each with its directory, kind, language and manifests.',
  heaviness: 'light',
  sections: { components: componentsSection },
  facts: componentFacts,
  spine: spineOf,
  configKeys: ['languages.extra_extensions'],
  declaredInputs: [
    '**/{package.json,pyproject.toml,go.mod,Cargo.toml,pom.xml,composer.json,build.gradle,build.gradle.kts}',
    ...workspaceGlobs,
    '**/{compose,docker-compose,podman-compose}*.{yml,yaml}',
    '**/skaffold.{yml,yaml}',
    starterGlob,
    'names:**',
  ],
  warningIds: ['components.manifest_unreadable'],
  timeoutSeconds: 30,
  confidenceRule: 'high; medium when a manifest could not be read',
  async run(repo, ctx) {
    const { gatherComponents } = await import('./gather-components.ts');
    return gatherComponents(repo, ctx);
  },
  examples: [
    {
      shows: 'a script that drives the build is not what a small program is written in',
      files: {
        'push/package.json': '{"name":"push","scripts":{"build":"node build.js"}}',
        'push/build.js': `${'// one target after the other\n'.repeat(8)}exports.targets = [];\n`,
        'push/Dockerfile': 'FROM scratch\n',
        'push/main.go': `package main\n\n${'// sends a request\n'.repeat(8)}func main() {}\n`,
      },
      gives: {},
      facts: [
        { id: 'language.primary', scope: 'push', value: 'Go' },
        { id: 'language.secondary', scope: 'push', value: ['JavaScript', 'Dockerfile'] },
      ],
    },
    {
      shows:
        'packages, an example and a generator’s template that are none of the product; an application called docs is code of the root',
      files: {
        'package.json': '{"name":"shop"}',
        'packages/api/package.json': '{"name":"@shop/api"}',
        'packages/api/src/server.ts': 'export const port = 80;\n',
        'examples/tiny/package.json': '{"name":"tiny"}',
        'examples/tiny/app.py': 'print(1)\n',
        'examples/tiny/more.py': 'print(2)\n',
        'packages/create/package.json': '{"name":"create-shop"}',
        'packages/create/template-react/package.json': '{"dependencies":{"react":"19"}}',
        'docs/__init__.py': '',
        'docs/models.py': 'pages = 1\n',
      },
      gives: {
        components: {
          components: [
            { dir: '.', kind: 'package', language: 'python', manifests: ['package.json'] },
            { dir: 'examples/tiny', kind: 'example', language: 'python' },
            { dir: 'packages/api', kind: 'package', language: 'typescript' },
            { dir: 'packages/create', kind: 'package' },
            { dir: 'packages/create/template-react', kind: 'example' },
          ],
        },
      },
      facts: [
        {
          id: 'language.primary',
          scope: 'packages/api',
          value: 'TypeScript',
          evidence: ['packages/api/src/server.ts:1'],
        },
        { id: 'language.primary', scope: '.', value: 'TypeScript' },
        // No workspace says so, and a part looks like a package: either could be meant.
        { id: 'monorepo.packages', scope: '.', value: 1, confidence: 'low' },
      ],
      confidence: 'high',
    },
    {
      shows: 'two workspaces of two ecosystems over one root; a suite of tests among the members is not published',
      files: {
        'package.json': '{"private":true,"workspaces":["packages/*"]}',
        'pyproject.toml': '[tool.uv.workspace]\nmembers = ["backend"]\n',
        'backend/pyproject.toml': '[project]\nname = "backend"\n',
        'backend/app.py': 'print(1)\n',
        'packages/core/package.json': '{"name":"@x/core","version":"1.0.0","main":"index.js"}',
        'packages/tests/package.json': '{"name":"@x/tests","version":"1.0.0","private":true}',
      },
      gives: {
        components: {
          workspace: { tool: 'node', declared_in: 'package.json', members: ['packages/core', 'packages/tests'] },
          components: [
            { dir: '.' },
            { dir: 'backend', name: 'backend', kind: 'package' },
            { dir: 'packages/core', name: '@x/core', kind: 'library' },
            { dir: 'packages/tests', kind: 'test' },
          ],
        },
      },
      facts: [
        {
          id: 'monorepo.packages',
          scope: '.',
          value: ['backend', 'packages/core', 'packages/tests'],
          evidence: ['package.json:1', 'pyproject.toml:2'],
        },
      ],
    },
    {
      shows:
        'a Gradle build: those are published whose build file has a plugin that publishes; the root only makes it known',
      files: {
        'settings.gradle.kts': 'include(":core")\ninclude(":core-tests")\ninclude(":tool")\n',
        'build.gradle.kts': 'plugins {\n  alias(libs.plugins.maven.publish) apply false\n}\n',
        'core/build.gradle.kts': 'plugins {\n  id("shop.publish-conventions")\n}\n',
        'core/src/main/kotlin/A.kt': 'fun a() = 1\n',
        'core-tests/build.gradle.kts': 'plugins { kotlin("jvm") }\n',
        'tool/build.gradle.kts': 'plugins { kotlin("jvm") }\n',
      },
      gives: {},
      facts: [{ id: 'monorepo.packages', scope: 'published', value: ['core'], evidence: ['core/build.gradle.kts:2'] }],
    },
    {
      shows:
        'a Cargo workspace: members by pattern and by path, those that are published, and a workspace of its own beside it',
      files: {
        'Cargo.toml':
          '[package]\nname = "tool"\n\n[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/old"]\n\n[dependencies]\nnear = { path = "near" }\n',
        'src/main.rs': 'fn main() {}\n',
        'near/Cargo.toml': '[package]\nname = "near"\n',
        'near/src/lib.rs': 'pub fn f() {}\n',
        'crates/a/Cargo.toml': '[package]\nname = "a"\npublish = false\n',
        'crates/old/Cargo.toml': '[package]\nname = "old"\n',
        'fuzz/Cargo.toml': '[package]\nname = "fuzz"\n\n[workspace]\nmembers = ["."]\n',
        'examples/Cargo.toml': '[workspace]\nmembers = ["*"]\nexclude = ["gone"]\n',
        'examples/x/Cargo.toml': '[package]\nname = "x"\n',
        'examples/y/Cargo.toml': '[package]\nname = "y"\n',
      },
      gives: {
        components: {
          components: [
            { dir: '.', kind: 'cli', name: 'tool' },
            { dir: 'crates/a' },
            { dir: 'crates/old' },
            { dir: 'examples', kind: 'example' },
            { dir: 'examples/x', kind: 'example' },
            { dir: 'examples/y', kind: 'example' },
            { dir: 'fuzz', kind: 'test' },
            { dir: 'near', kind: 'library' },
          ],
        },
      },
      facts: [
        { id: 'monorepo.packages', scope: 'members', value: ['crates/a', 'near'], evidence: ['Cargo.toml:5'] },
        { id: 'monorepo.packages', scope: 'published', value: ['near'], evidence: ['near/Cargo.toml:2'] },
        {
          id: 'monorepo.packages',
          scope: 'examples',
          value: ['examples/x', 'examples/y'],
          evidence: ['examples/Cargo.toml:2'],
        },
      ],
    },
    {
      shows:
        'services in several languages: interfaces, scripts and Dockerfiles are never what a service is written in',
      files: {
        'compose.yaml': 'services:\n  mail:\n    build: ./src/mail\n  db:\n    image: postgres\n',
        'src/cart/cart.sln':
          'Project("{F}") = "cart", "src\\cart.csproj", "{1}"\nEndProject\nProject("{F}") = "t", "tests\\t.csproj", "{2}"\nEndProject\n',
        'src/cart/src/cart.csproj': '<Project/>',
        'src/cart/src/Program.cs': 'class Program {}\n',
        'src/cart/src/Dockerfile': 'FROM scratch\n',
        'src/cart/tests/t.csproj': '<Project/>',
        'src/rates/Dockerfile': 'FROM node\n',
        'src/rates/package.json': '{"name":"rates"}',
        'src/rates/server.js': 'require("grpc");\n',
        'src/rates/gen.sh': 'echo a long script that weighs more than the server itself\n',
        'src/rates/proto/a.proto': `syntax = "proto3";\n${'message M {}\n'.repeat(20)}`,
        'src/mail/main.py': 'print(1)\n',
      },
      gives: {
        components: {
          workspace: null,
          components: [
            { dir: '.' },
            { dir: 'src/cart', language: null },
            { dir: 'src/cart/src', kind: 'service', name: 'cart' },
            { dir: 'src/cart/tests', kind: 'test' },
            { dir: 'src/mail', kind: 'service', manifests: [] },
            { dir: 'src/rates', kind: 'service', language: 'javascript' },
          ],
        },
      },
      facts: [
        { id: 'language.primary', scope: 'src/cart', value: 'C#' },
        { id: 'language.primary', scope: 'src/mail', value: 'Python' },
        { id: 'language.primary', scope: 'src/rates', value: 'JavaScript', confidence: 'high' },
        {
          id: 'monorepo.packages',
          scope: '.',
          value: ['src/cart', 'src/cart/src', 'src/rates'],
          confidence: 'low',
        },
      ],
    },
    {
      shows:
        'directories that are none of the product need no manifest, but stand beside one; deeper names say nothing',
      files: {
        'pom.xml': '<project><artifactId>clinic</artifactId></project>',
        'src/main/java/org/samples/clinic/Owner.java': `class Owner {}\n${'// more\n'.repeat(40)}`,
        'src/test/java/org/samples/clinic/OwnerTests.java': 'class OwnerTests {}\n',
        'src/integrationTest/kotlin/More.kt': `class More\n${'// more\n'.repeat(20)}`,
        'docs/conf.py': 'x = 1\n',
        'examples/tour.py': `x = 1\n${'# more\n'.repeat(20)}`,
        'bin/profile.pl': '#!/usr/bin/env java\nprint 1;\n',
        'bin/report.py': '#!/usr/bin/env ruby\nputs 1\n',
        'rpc/api_pb2_grpc.py': `x = 1\n${'# more\n'.repeat(200)}`,
        'spec/openapi.yaml': 'openapi: 3.1.0\n',
        'vendor/lib/x.go': 'package x\n',
        '.devcontainer/Dockerfile': 'FROM scratch\n',
      },
      gives: {
        components: {
          components: [
            { dir: '.', name: 'clinic', kind: 'package', language: 'java' },
            { dir: '.devcontainer', kind: 'infrastructure' },
            { dir: 'docs', kind: 'docs' },
            { dir: 'examples', kind: 'example' },
            { dir: 'src/integrationTest', kind: 'test' },
            { dir: 'src/test', kind: 'test' },
            { dir: 'vendor', kind: 'vendored' },
          ],
        },
      },
      facts: [
        { id: 'language.primary', scope: '.', value: 'Java' },
        { id: 'language.secondary', scope: '.', value: ['Perl', 'Ruby'] },
        {
          id: 'language.primary',
          scope: 'src/test',
          how: 'counted: bytes of code; what is named like generated code aside',
        },
        { id: 'monorepo.packages', scope: '.', value: 1, confidence: 'high' },
      ],
    },
    {
      shows:
        'languages that only examples and fixtures are written in are none of the product, also without a manifest',
      files: {
        'package.json': '{"name":"shop"}',
        'server.js': `x();\n${'// more\n'.repeat(20)}`,
        'health.go': 'package main\n',
        'extra/push-examples/java/Push.java': 'class Push {}\n',
        'pkg/testdata/a.proto': 'syntax = "proto3";\n',
      },
      gives: { components: { components: [{ dir: '.', language: 'javascript' }] } },
      facts: [{ id: 'language.secondary', scope: '.', value: ['Go'] }],
    },
    {
      shows: 'a manifest that cannot be read is named, and the parts are told without it',
      files: { 'package.json': '{bad', 'a.js': 'x();\n' },
      gives: { components: { components: [{ dir: '.', language: 'javascript', manifests: ['package.json'] }] } },
      warnings: ['components.manifest_unreadable'],
      confidence: 'medium',
    },
    {
      shows: 'a Go module is called what it says, and Maven’s tests lie beside what they test',
      files: {
        'svc/go.mod': 'module example.com/svc\n',
        'svc/svc.go': 'package svc\n',
        'shop/pom.xml': '<project><artifactId>shop</artifactId></project>\n',
        'shop/src/main/java/Shop.java': 'class Shop {}\n',
        'shop/src/integrationTest/java/ShopTest.java': 'class ShopTest {}\n',
      },
      gives: {
        components: {
          components: [
            { dir: '.' },
            { dir: 'shop', name: 'shop' },
            { dir: 'shop/src/integrationTest', kind: 'test', how: 'it is src/integrationTest' },
            { dir: 'svc', name: 'example.com/svc' },
          ],
        },
      },
    },
    {
      shows: 'a library of others that is served as it is says nothing about the language',
      files: {
        'pom.xml': '<project/>',
        'src/main/java/A.java': `class A {} ${'/* x */'.repeat(40)}\n`,
        'src/main/resources/static/js/lib/numbers.js': `${'f();\n'.repeat(400)}`,
        'src/main/resources/static/js/page.js': 'f();\n',
      },
      gives: {},
      facts: [{ id: 'language.primary', scope: '.', value: 'Java', confidence: 'high' }],
    },
    {
      shows: 'a repository without a manifest is one part',
      files: { 'tool.go': 'package main\n' },
      gives: { components: { workspace: null, components: [{ dir: '.', language: 'go', manifests: [] }] } },
      facts: [{ id: 'language.primary', scope: '.', value: 'Go' }],
    },
  ],
});
