/**
 * Frameworks that the product is built on: declared by a manifest and imported, for its values and not its types alone, by code that is
 * no test, sample or benchmark. Where a framework loads the code and not the other way round, declaring it is enough.
 */

import { defineProbe } from '../../gather/contract.ts';
import { isJsonObject } from '../../kernel/base/json.ts';
import { listAt } from '../../kernel/base/json-access.ts';
import { isForeignManifest } from '../../kernel/tree/file-roles.ts';
import { manifestKinds } from '../node-manifest/other-manifests.ts';
import { frameworkFacts } from './frameworks-facts.ts';
import { frameworksSection } from './frameworks-section.ts';

export default defineProbe({
  name: 'frameworks',
  version: '0.1.5',
  layer: 'A',
  says: 'frameworks that manifests declare and code of the product uses',
  heaviness: 'light',
  sections: { frameworks: frameworksSection },
  facts: frameworkFacts,
  requires: [
    {
      probe: 'node_manifest',
      select: (slice) =>
        listAt(slice['manifests'], 'all').flatMap((row) =>
          isJsonObject(row)
            ? [{ ecosystem: row['ecosystem'] ?? null, path: row['path'] ?? null, frameworks: row['frameworks'] ?? [] }]
            : [],
        ),
    },
    // Whose facts they are.
    { probe: 'components', select: () => null },
  ],
  declaredInputs: ['**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,vue,svelte,astro,py,go,rs,java,kt,cs,fs}'],
  applies: (repo) =>
    repo.scope
      .match(['**/package.json', ...manifestKinds.map((kind) => kind.glob)])
      .some((file) => !isForeignManifest(file.path))
      ? true
      : 'not_applicable',
  timeoutSeconds: 60,
  confidenceRule: 'medium: imports are read as text, and the catalog of frameworks is not complete',
  async run(repo, ctx) {
    const { gatherFrameworks } = await import('./gather-frameworks.ts');
    return gatherFrameworks(repo, ctx.upstream['node_manifest']?.value ?? null);
  },
  examples: [
    {
      shows: 'declared and imported by code; tests, types, samples and tools of developers do not count',
      files: {
        'package.json': JSON.stringify({
          name: 'shop',
          dependencies: { express: '5', koa: '2', yargs: '17' },
          devDependencies: { vue: '3', fastify: '5' },
        }),
        'server/main.js': "// import koa from 'koa'\nconst express = require('express');\nexpress();\n",
        'src/app.ts':
          "import { createApp } from 'vue';\nimport type { FastifyInstance } from 'fastify';\ncreateApp({});\n",
        'test/app.test.js': "import koa from 'koa';\n",
        'examples/tiny/package.json': '{"name":"tiny","dependencies":{"hono":"4"}}',
        'examples/tiny/app.js': "import { Hono } from 'hono';\n",
        'lib/package.json': JSON.stringify({
          name: 'lib',
          main: 'index.js',
          peerDependencies: { react: '*' },
          devDependencies: { react: '19', express: '5' },
        }),
        'lib/index.js': "import {\n  useState,\n} from 'react';\nimport express from 'express';\n",
      },
      gives: { frameworks: { directories: ['.', 'examples/tiny', 'lib'] } },
      facts: [
        { id: 'framework.production', scope: 'lib', value: ['react'], confidence: 'medium' },
        {
          id: 'framework.production',
          scope: 'examples/tiny',
          state: 'none',
          how: 'follows: example: its frameworks are none of the product',
        },
        { id: 'framework.production', scope: 'examples', state: 'none', confidence: 'medium' },
        { id: 'framework.production', scope: '.', value: ['express', 'react', 'vue'] },
      ],
    },
    {
      shows: 'every ecosystem, below the root as well',
      files: {
        'api/pyproject.toml': '[project]\nname = "api"\ndependencies = ["FastAPI", "grpcio", "celery"]\n',
        'api/app/main.py': 'from fastapi import FastAPI\nimport grpc\n',
        'web/go.mod':
          'module x\n\ngo 1.25\n\nrequire (\n\tgithub.com/gorilla/mux v1.8.1\n\tgithub.com/labstack/echo/v4 v4.0.0\n)\n',
        'web/main.go': 'package main\n\nimport (\n\t"net/http"\n\n\t"github.com/gorilla/mux"\n)\n',
        'web/main_test.go': 'package main\n\nimport "github.com/labstack/echo/v4"\n',
        'cart/src/cart.csproj':
          '<Project Sdk="Microsoft.NET.Sdk.Web"><ItemGroup><PackageReference Include="Grpc.AspNetCore" /></ItemGroup></Project>',
        'tool/Cargo.toml': '[package]\nname = "tool"\n[dependencies]\nclap = "4"\nactix-web = "4"\n',
        'tool/src/main.rs': 'use clap::Parser;\n',
        'portal/requirements.txt': '-r requirements/base.txt\n',
        'portal/requirements/base.txt': 'Django>=6\n',
        'portal/app/urls.py': 'from django.urls import path\n',
        'phone/phone.csproj':
          '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="Microsoft.Maui.Controls" /></ItemGroup></Project>',
        'blog/Gemfile': "gem 'rails'\n",
        'shop/composer.json': '{"require":{"laravel/framework":"^11"}}',
        'jvm/pom.xml':
          '<project><parent><groupId>org.springframework.boot</groupId><artifactId>spring-boot-starter-parent</artifactId></parent></project>',
      },
      gives: {},
      facts: [
        { id: 'framework.production', scope: 'api', value: ['fastapi', 'grpc'] },
        {
          id: 'framework.production',
          scope: 'web',
          value: ['gorilla/mux'],
          evidence: ['web/go.mod:6', 'web/main.go:6'],
        },
        { id: 'framework.production', scope: 'cart', value: ['asp.net core', 'grpc'] },
        { id: 'framework.production', scope: 'tool', value: ['clap'] },
        { id: 'framework.production', scope: 'portal', value: ['django'] },
        { id: 'framework.production', scope: 'phone', value: ['maui'] },
        { id: 'framework.production', scope: 'blog', value: ['rails'] },
        { id: 'framework.production', scope: 'shop', value: ['laravel'] },
        { id: 'framework.production', scope: 'jvm', value: ['spring-boot'] },
      ],
    },
    {
      shows: 'a package also finds what a directory around it installs, a crate does not',
      files: {
        'package.json': '{"name":"all","dependencies":{"express":"5"}}',
        'api/package.json': '{"name":"api"}',
        'api/server.js': "const express = require('express');\n",
        'Cargo.toml': '[package]\nname = "all"\n[dependencies]\nclap = "4"\n',
        'sub/Cargo.toml': '[package]\nname = "sub"\n',
        'sub/src/main.rs': 'use clap::Parser;\n',
      },
      gives: {},
      facts: [
        { id: 'framework.production', scope: 'api', value: ['express'] },
        { id: 'framework.production', scope: 'sub', state: 'none' },
      ],
    },
    { shows: 'nothing to read', files: { 'README.md': '# hello\n' }, gives: {}, skipped: 'not_applicable' },
  ],
});
