import { expect, test } from 'vitest';
import { lockKinds, manifestKinds } from './other-manifests.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

async function read(family: string, text: string, path = 'x') {
  const kind = manifestKinds.find((each) => each.family === family);
  const outcome = (await kind?.parser())?.(bytes(text), path);
  if (outcome === undefined || !outcome.ok) return outcome?.failure.kind;
  const { name, version, runtime, dev, engines } = outcome.value;
  return {
    name,
    version,
    runtime: [...runtime],
    dev: [...dev],
    engines: engines.map((each) => `${each.name} ${each.range}`),
  };
}
async function count(path: string, text: string) {
  const kind = lockKinds.find((each) => each.path === path);
  const outcome = (await kind?.counter())?.(bytes(text));
  return outcome?.ok ? outcome.value : outcome?.failure.kind;
}

test('pyproject: PEP 621, groups and extras', async () => {
  const text = `
[project]
name = "svc"
version = "1.2.0"
requires-python = ">=3.11"
dependencies = ["Django>=5 ; python_version > '3'", "typing_extensions"]
[project.optional-dependencies]
postgres = ["psycopg[binary]"]
dev = ["ruff"]
[dependency-groups]
test = ["pytest", {include-group = "x"}]
[tool.uv]
dev-dependencies = ["mypy"]
`;
  expect(await read('pyproject', text)).toEqual({
    name: 'svc',
    version: '1.2.0',
    runtime: ['django', 'typing-extensions'],
    dev: ['pytest', 'ruff', 'mypy'],
    engines: ['python >=3.11'],
  });
});

test('pyproject: poetry', async () => {
  const text = `
[tool.poetry]
name = "old"
version = "0.1.0"
[tool.poetry.dependencies]
python = "^3.10"
flask = "^3"
[tool.poetry.group.dev.dependencies]
black = "*"
`;
  expect(await read('pyproject', text)).toEqual({
    name: 'old',
    version: '0.1.0',
    runtime: ['flask'],
    dev: ['black'],
    engines: ['python ^3.10'],
  });
});

test('requirements files are development ones by their name', async () => {
  expect(await read('requirements', 'Flask==3.0\n-r other.txt\n', 'requirements.txt')).toMatchObject({
    runtime: ['flask'],
  });
  expect(await read('requirements', 'pytest\n', 'a/requirements-dev.txt')).toMatchObject({
    runtime: [],
    dev: ['pytest'],
  });
});

test('go.mod counts what is required directly', async () => {
  const text = 'module example.com/m\n\ngo 1.22\n\nrequire (\n\ta.com/x v1.0.0\n\tb.com/y v2.0.0 // indirect\n)\n';
  expect(await read('go_mod', text)).toMatchObject({
    name: 'example.com/m',
    runtime: ['a.com/x'],
    engines: ['go 1.22'],
  });
});

test('Cargo.toml: targets count, build dependencies are development ones, inherited values are unknown', async () => {
  const text = `
[package]
name = "core"
version = { workspace = true }
rust-version = "1.75"
[dependencies]
serde = "1"
[target.'cfg(unix)'.dependencies]
libc = "0.2"
[dev-dependencies]
proptest = "1"
[build-dependencies]
cc = "1"
`;
  expect(await read('cargo_toml', text)).toEqual({
    name: 'core',
    version: null,
    runtime: ['serde', 'libc'],
    dev: ['proptest', 'cc'],
    engines: ['rust 1.75'],
  });
});

test('pom.xml: scope test is development, the version may be the parent’s', async () => {
  const text = `<project><parent><version>3.2.0</version></parent><artifactId>app</artifactId>
    <properties><java.version>21</java.version></properties>
    <dependencies>
      <dependency><groupId>g</groupId><artifactId>a</artifactId></dependency>
      <dependency><groupId>g</groupId><artifactId>t</artifactId><scope>test</scope></dependency>
    </dependencies></project>`;
  expect(await read('pom_xml', text)).toEqual({
    name: 'app',
    version: '3.2.0',
    runtime: ['g:a'],
    dev: ['g:t'],
    engines: ['java 21'],
  });
});

test('csproj: package references, private assets are development ones', async () => {
  const text = `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework><Version>2.0.0</Version></PropertyGroup>
    <ItemGroup><PackageReference Include="Serilog" Version="3" /><PackageReference Include="Analyzer" PrivateAssets="all" /></ItemGroup></Project>`;
  expect(await read('csproj', text)).toEqual({
    name: null,
    version: '2.0.0',
    runtime: ['Serilog'],
    dev: ['Analyzer'],
    engines: ['dotnet net8.0'],
  });
});

test('Gemfile: groups and group options', async () => {
  const text = `source 'https://rubygems.org'
ruby "3.3.0"
gem 'rails', '~> 7.1'
gem "byebug", group: [:development, :test]
group :development, :test do
  gem 'rspec'
  install_if -> { true } do
    gem 'guard'
  end
  if ENV['CI']
    gem 'ci'
  end
  gem 'last'
end
gem 'puma'
`;
  expect(await read('gemfile', text)).toMatchObject({
    runtime: ['rails', 'puma'],
    dev: ['byebug', 'rspec', 'guard', 'ci', 'last'],
    engines: ['ruby 3.3.0'],
  });
});

test('composer.json: the platform is no package', async () => {
  const text =
    '{"name":"a/b","require":{"php":">=8.2","ext-json":"*","monolog/monolog":"^3"},"require-dev":{"phpunit/phpunit":"^10"}}';
  expect(await read('composer_json', text)).toEqual({
    name: 'a/b',
    version: null,
    runtime: ['monolog/monolog'],
    dev: ['phpunit/phpunit'],
    engines: ['php >=8.2'],
  });
});

test('locks: what was settled, without the repository itself', async () => {
  const uv =
    '[[package]]\nname = "svc"\nsource = { editable = "." }\n\n[[package]]\nname = "django"\nsource = { registry = "x" }\n';
  expect(await count('uv.lock', uv)).toBe(1);
  expect(await count('poetry.lock', '[[package]]\nname = "a"\n\n[[package]]\nname = "b"\n')).toBe(2);
  expect(
    await count(
      'Cargo.lock',
      'version = 3\n\n[[package]]\nname = "own"\n\n[[package]]\nname = "serde"\nsource = "registry+x"\n',
    ),
  ).toBe(1);
  expect(
    await count('go.sum', 'a.com/x v1.0.0 h1:a=\na.com/x v1.0.0/go.mod h1:b=\nb.com/y v1.0.0/go.mod h1:c=\n'),
  ).toBe(1);
  expect(
    await count(
      'Gemfile.lock',
      'GEM\n  remote: x\n  specs:\n    rails (7.1.0)\n      rack (>= 2)\n    rack (3.0)\n\nPLATFORMS\n  ruby\n',
    ),
  ).toBe(2);
  expect(await count('composer.lock', '{"packages":[{}, {}],"packages-dev":[{}]}')).toBe(3);
  expect(await count('Cargo.lock', 'version = ')).toBe('malformed');
});
