/** Where the programs of the repository begin, and what its libraries open to others. */

import { defineProbe } from '../../gather/contract.ts';
import { dockerfileRequirement } from '../dockerfile/dockerfile-section.ts';
import { entryPointFacts } from './entry-points-facts.ts';
import {
  entryBuildGlobs,
  entryManifestGlobs,
  entryPointsSection,
  entrySourceGlobs,
  uwsgiGlobs,
} from './entry-points-section.ts';

export default defineProbe({
  name: 'entry_points',
  version: '0.6.1',
  layer: 'B',
  says: 'Files in which programs begin, and files or packages that others import.',
  heaviness: 'light',
  sections: { entry_points: entryPointsSection },
  facts: entryPointFacts,
  requires: [
    // Only for the facts: whose entry it is. The run reads nothing of it.
    { probe: 'components', select: () => null },
    { ...dockerfileRequirement, optional: true },
  ],
  declaredInputs: [...entryManifestGlobs, ...entryBuildGlobs, ...entrySourceGlobs, ...uwsgiGlobs, 'names:**'],
  timeoutSeconds: 30,
  confidenceRule: 'high',
  async run(repo, ctx) {
    const { gatherEntryPoints } = await import('./gather-entry-points.ts');
    return gatherEntryPoints(repo, ctx);
  },
  examples: [
    {
      shows: 'a start script that leads to another, a crate, an application',
      files: {
        'package.json': '{\n"name":"a",\n"scripts":{"start":"npm run serve",\n"serve":"node server/main.js"}}',
        'server/main.js': '',
        'rs/Cargo.toml': '[package]\nname = "x"\n[[bin]]\nname = "rg"\npath = "core/main.rs"\n',
        'rs/core/main.rs': 'fn main() {}\n',
        'py/pyproject.toml': '[project]\nname = "p"\n[tool.fastapi]\nentrypoint = "app.main:app"\n',
        'py/app/main.py': '',
        'extra/alone.go': 'package main\nfunc main() {}\n',
        'java/src/main/java/samples/ShopApplication.java': '@SpringBootApplication\nclass ShopApplication {}\n',
        'java/src/test/java/TestApplication.java': '@SpringBootApplication\nclass TestApplication {}\n',
        'java/pom.xml': '<project/>',
      },
      gives: {
        entry_points: {
          programs: [
            { path: 'java/src/main/java/samples/ShopApplication.java' },
            { path: 'py/app/main.py' },
            { path: 'rs/core/main.rs' },
            { path: 'server/main.js' },
          ],
        },
      },
      facts: [
        { id: 'entrypoint.production', scope: '.', value: 'server/main.js', evidence: ['package.json:4'] },
        { id: 'entrypoint.production', scope: 'rs', value: 'rs/core/main.rs', evidence: ['rs/Cargo.toml:5'] },
        { id: 'entrypoint.production', scope: 'py', value: 'py/app/main.py' },
      ],
    },
    {
      shows:
        'what servers and hosts load: a front controller, an application of Django, of Rack, of .NET; libraries of a workspace together',
      files: {
        'composer.json': '{"name":"a/b"}',
        'public/index.php': '<?php\nrequire 1;\n',
        'lib/helpers/index.php': '<?php\n',
        'py/manage.py': '',
        'py/site/wsgi.py': 'from django.core.wsgi import get_wsgi_application\napplication = get_wsgi_application()\n',
        'rb/Gemfile': 'gem "rails"\n',
        'rb/config.ru': 'require_relative "config/environment"\nrun Rails.application\n',
        'net/Api/Api.csproj': '<Project Sdk="Microsoft.NET.Sdk.Web"/>',
        'net/Api/Program.cs': 'var builder = WebApplication.CreateBuilder(args);\n',
        'net/Lib/Program.cs': 'class Program { }\n',
        'rs/Cargo.toml': '[workspace]\nmembers = ["a", "b"]\n',
        'rs/a/Cargo.toml': '[package]\nname = "a"\n',
        'rs/a/src/lib.rs': '',
        'rs/b/Cargo.toml': '[package]\nname = "b"\n',
        'rs/b/src/lib.rs': '',
      },
      gives: {
        entry_points: {
          programs: [
            { path: 'net/Api/Program.cs' },
            { path: 'public/index.php' },
            { path: 'py/site/wsgi.py' },
            { path: 'rb/config.ru' },
          ],
        },
      },
      facts: [
        { id: 'entrypoint.production', scope: 'rb', value: 'rb/config.ru', evidence: ['rb/config.ru:2'] },
        { id: 'entrypoint.production', scope: 'net/Api', value: 'net/Api/Program.cs' },
      ],
    },
    {
      shows: 'the class that a build names; what is only there for a generator begins nothing',
      files: {
        'curl/build.gradle.kts': 'tasks.jar {\n  manifest { attributes("Main-Class" to "shop.curl.MainLineKt") }\n}\n',
        'curl/src/main/kotlin/shop/curl/MainLine.kt': 'fun main(args: Array<String>) = Unit\n',
        'job/pom.xml':
          '<project><build><mainClass>shop.Job</mainClass><plugins><plugin><artifactId>exec-maven-plugin</artifactId><mainClass>shop.Docs</mainClass><phase>compile</phase></plugin></plugins></build></project>',
        'job/src/main/java/shop/Docs.java': 'class Docs { public static void main(String[] a) {} }\n',
        'job/src/main/java/shop/Job.java': 'class Job { public static void main(String[] a) {} }\n',
        'go.mod': 'module example.com/a\n',
        'generate.go': '//go:generate go run ./internal/\n\npackage main\n\nfunc main() {}\n',
        'gen/make.go': '//go:build tools || generate\n\npackage main\nfunc main() { run() }\n',
        'cmd/shop/main.go': 'package main\nfunc main() { run() }\n',
      },
      gives: {
        entry_points: {
          programs: [
            { path: 'cmd/shop/main.go' },
            { path: 'curl/src/main/kotlin/shop/curl/MainLine.kt' },
            { path: 'job/src/main/java/shop/Job.java' },
          ],
        },
      },
    },
    {
      shows: 'a Go library: its packages are open but for the internal ones, and nothing begins in it',
      files: {
        'go.mod': 'module example.com/a\n',
        'a.go': 'package a\n',
        'a_test.go': 'package a\nfunc main() {}\n',
        'render/r.go': '// What it draws.\npackage render\n',
        'internal/b/b.go': 'package b\n',
        'examples/x/main.go': 'package main\nfunc main() {}\n',
      },
      gives: {},
      facts: [
        { id: 'public_api.entry', scope: '.', value: ['.', 'render'], evidence: ['a.go:1', 'render/r.go:2'] },
        { id: 'entrypoint.production', scope: '.', state: 'none', value: null },
      ],
    },
    {
      shows:
        'what an image starts, by where its file was copied from; an image of tests, and a program that tries things out, begin nothing',
      beside: ['dockerfile'],
      files: {
        'cart/package.json': '{"name":"cart","main":"server.js"}',
        'cart/server.js': '',
        'cart/Dockerfile':
          'FROM node:24\nWORKDIR /opt/server\nCOPY server.js /opt/server/\nCMD ["node", "server.js"]\n',
        'pay/requirements.txt': 'flask\n',
        'pay/shop/web.py': '',
        'pay/Dockerfile': 'FROM python:3\nWORKDIR /app\nCOPY . .\nENTRYPOINT exec gunicorn --bind :80 shop.web:app\n',
        'shop/requirements.txt': 'flask\n',
        'shop/front.py': '',
        'shop/Dockerfile':
          'FROM python:3\nWORKDIR /app\nCOPY . .\nENTRYPOINT ["gunicorn", "-b", ":8080", "front:create_app()"]\n',
        'quote/requirements.txt': 'flask\n',
        'quote/front.py': '',
        'quote/Dockerfile':
          'FROM python:3\nWORKDIR /app\nCOPY . .\nENTRYPOINT gunicorn -b :8080 "front:create_app()"\n',
        'rate/requirements.txt': 'uwsgi\n',
        'rate/rate.py': '',
        'rate/rate.ini': '[uwsgi]\nhttp-socket = :8080\nwsgi-file = rate.py\ncallable = app\n',
        'rate/other.ini': '[server]\nfile = rate.py\n',
        'mail/job.py': '',
        'mail/requirements.txt': 'flask\n',
        'docker/mail.dockerfile': 'FROM python:3\nWORKDIR /app\nCOPY mail/ .\nCMD ["python", "-u", "job.py"]\n',
        'tests/Dockerfile': 'FROM python:3\nCOPY check.py .\nCMD ["python", "check.py"]\n',
        'tests/check.py': '',
        'send/main.go': 'package main\nfunc main() {}\n',
        'send/Dockerfile': 'FROM golang:1\nCOPY *.go .\nRUN go mod init send && go install\nCMD send\n',
        'extra/alone.go': 'package main\nfunc main() {}\n',
        'go/go.mod': 'module example.com/a\n',
        'go/cmd/a/main.go': 'package main\nfunc main() {}\n',
        'go/cmd/test_redis/main.go': 'package main\nfunc main() {}\n',
        'go/testing/try/main.go': 'package main\nfunc main() {}\n',
      },
      gives: {
        entry_points: {
          programs: [
            { path: 'cart/server.js' },
            { path: 'go/cmd/a/main.go' },
            { path: 'mail/job.py' },
            { path: 'pay/shop/web.py' },
            { path: 'quote/front.py' },
            { path: 'rate/rate.py' },
            { path: 'send/main.go' },
            { path: 'shop/front.py' },
          ],
          public: [],
        },
      },
      facts: [
        { id: 'entrypoint.production', scope: 'cart', value: 'cart/server.js', evidence: ['cart/Dockerfile:4'] },
        { id: 'entrypoint.production', scope: 'pay', value: 'pay/shop/web.py', evidence: ['pay/Dockerfile:4'] },
        { id: 'entrypoint.production', scope: 'mail', value: 'mail/job.py', evidence: ['docker/mail.dockerfile:4'] },
        { id: 'entrypoint.production', scope: 'send', value: 'send/main.go' },
        { id: 'entrypoint.production', scope: 'rate', value: 'rate/rate.py', evidence: ['rate/rate.ini:3'] },
        { id: 'entrypoint.production', scope: 'quote', value: 'quote/front.py' },
      ],
    },
    {
      shows: 'packages of a Go program are its parts',
      files: {
        'go.mod': 'module example.com/a\n',
        'cmd/a/main.go': 'package main\n\nfunc main() {}\n',
        'pkg/b.go': 'package pkg\n',
        'pkg/generate/gen.go': 'package main\nfunc main() {}\n',
        'internal/docs/docs.go': 'package main\nfunc main() {}\n',
      },
      gives: { entry_points: { public: [] } },
      facts: [{ id: 'entrypoint.production', scope: '.', value: 'cmd/a/main.go', evidence: ['cmd/a/main.go:3'] }],
    },
    {
      shows:
        'a build writes what a package names: its source is what others import; a package in a folder of another name',
      files: {
        'a/package.json':
          '{"name":"a","exports":{".":{"import":{"types":"./dist/index.d.mts","default":"./dist/index.mjs"}},"./b":"./dist/b.mjs"}}',
        'a/src/index.ts': '',
        'a/src/b.ts': '',
        'b/package.json': '{"name":"b","main":"lib/cjs/node/main.js","module":"lib/esm/node/main.js"}',
        'b/src/node/main.tsx': '',
        'c/package.json': '{"name":"c","exports":{"import":"./c.mjs","default":"./dist/c.js"},"main":"c"}',
        'c/c.mjs': '',
        'c/c.js': '',
        'c/src/c.ts': '',
        'd/package.json': '{"name":"d","private":true,"main":"dist/index.js"}',
        'd/src/index.ts': '',
        'py/pyproject.toml': '[project]\nname = "python-thing"\n[tool.poetry]\npackages = [{ include = "thing" }]\n',
        'py/thing/__init__.py': '',
      },
      gives: {
        entry_points: {
          public: [
            { path: 'a/src/index.ts' },
            { path: 'b/src/node/main.tsx' },
            { path: 'c/c.js' },
            { path: 'c/c.mjs' },
            { path: 'py/thing/__init__.py' },
          ],
        },
      },
      facts: [
        { id: 'public_api.entry', scope: 'a', value: ['a/src/index.ts'], evidence: ['a/package.json:1'] },
        { id: 'public_api.entry', scope: 'b', value: ['b/src/node/main.tsx'] },
        { id: 'public_api.entry', scope: 'c', value: ['c/c.js', 'c/c.mjs'] },
        { id: 'public_api.entry', scope: 'py', value: ['py/thing/__init__.py'] },
      ],
    },
    {
      shows: 'what a package names and what is in the tree; a Python package by the name of its project',
      files: {
        'package.json': '{"name":"a","main":"a.js","types":"a.d.ts","module":"dist/a.mjs"}',
        'a.js': '',
        'a.d.ts': '',
        'plain/package.json': '{"name":"plain"}',
        'plain/index.js': '',
        'py/pyproject.toml': '[project]\nname = "Some-Thing"\n',
        'py/src/some_thing/__init__.py': '',
      },
      gives: {},
      facts: [
        { id: 'public_api.entry', scope: '.', value: ['a.d.ts', 'a.js'] },
        { id: 'public_api.entry', scope: 'plain', value: ['plain/index.js'] },
        { id: 'public_api.entry', scope: 'py', value: ['py/src/some_thing/__init__.py'] },
      ],
    },
  ],
});
