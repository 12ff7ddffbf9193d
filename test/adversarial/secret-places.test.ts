/**
 * P8, S12 One tree with a secret of its own for every shape in every place, one gather, one index, and every byte that the program leaves
 * anywhere: the context, raw artifacts, the cache, the state directory, databases with their pages and vocabularies, logs. Then a daemon of the
 * same tree: what it answers over HTTP and to tools, and what it leaves.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeTrigrams } from '../../src/index/text/trigrams.ts';
import { probes } from '../../src/probes/registry.gen.ts';
import { createMcpHttpHandler } from '../../src/serve/mcp/http-handler.ts';
import { startTestDaemon } from '../support/daemon-world.ts';
import { echoProbe } from '../support/engine-probes.ts';
import { createFixtureRepo, type FixtureRepo, readTree } from '../support/fixture-repo.ts';
import { connectHttp } from '../support/mcp-clients.ts';
import { runCli } from '../support/run-cli.ts';

/** Every secret holds it, and nothing else does. */
const mark = 'Zq7';
const planted = new Map<string, string>();
const secret = (what: string): string => {
  const value = `${mark}${(planted.size + 1296).toString(36)}Wv4`;
  planted.set(value, what);
  return value;
};

type Argv = readonly string[];
const argv: Readonly<Record<string, (value: string) => Argv>> = {
  'curl -u': (value) => ['curl', '-sf', '-u', `admin:${value}`, 'https://api.internal/health'],
  'curl -uuser': (value) => ['curl', `-uadmin:${value}`, 'https://api.internal/'],
  'curl --user': (value) => ['curl', '--user', `svc:${value}`, 'https://api.internal/'],
  'curl --proxy-user=': (value) => ['curl', `--proxy-user=svc:${value}`, 'https://api.internal/'],
  'curl -H bearer': (value) => ['curl', '-H', `Authorization: Bearer ${value}`, 'https://api.internal/'],
  'curl -H key': (value) => ['curl', '--header', `X-Api-Key: ${value}`, 'https://api.internal/'],
  'curl -H key without a space': (value) => ['curl', '-H', `PRIVATE-TOKEN:${value}`, 'https://api.internal/'],
  'curl -b': (value) => ['curl', '-b', `session=${value}`, 'https://api.internal/'],
  'wget --http-password': (value) => ['wget', `--http-password=${value}`, '--user=svc', 'https://api.internal/'],
  'http -a': (value) => ['http', '-a', `svc:${value}`, 'https://api.internal/'],
  'mysql -p': (value) => ['mysql', '-uroot', `-p${value}`, '-h', 'db', 'shop'],
  'mysqldump -p': (value) => ['/usr/bin/mysqldump', '-u', 'root', `-p${value}`, 'shop'],
  'mysqladmin ping': (value) => ['mysqladmin', 'ping', '-h', 'localhost', `-p${value}`],
  'mongosh -p': (value) => ['mongosh', '-u', 'root', '-p', value, '--eval', 'db.ping()'],
  'redis-cli -a': (value) => ['redis-cli', '-a', value, 'ping'],
  'redis-server --requirepass': (value) => ['redis-server', '--requirepass', value],
  'sshpass -p': (value) => ['sshpass', '-p', value, 'ssh', 'deploy@host'],
  'sshpass -pPW': (value) => ['sshpass', `-p${value}`, 'ssh', 'deploy@host'],
  'docker login -p': (value) => ['docker', 'login', '-u', 'ci', '-p', value, 'registry.internal'],
  'helm registry login': (value) => [
    'helm',
    'registry',
    'login',
    '--username',
    'ci',
    '--password',
    value,
    'r.internal',
  ],
  'ldapsearch -w': (value) => ['ldapsearch', '-x', '-D', 'cn=admin', '-w', value, '-b', 'dc=x'],
  'sqlcmd -P': (value) => ['sqlcmd', '-S', 'db', '-U', 'sa', '-P', value],
  'keytool -storepass': (value) => ['keytool', '-list', '-keystore', 'a.jks', '-storepass', value],
  'openssl -passin': (value) => ['openssl', 'rsa', '-in', 'a.pem', '-passin', `pass:${value}`],
  'smbclient -U': (value) => ['smbclient', '//srv/share', '-U', `svc%${value}`],
  'htpasswd -b': (value) => ['htpasswd', '-bc', '.htpasswd', 'admin', value],
  'zip -P': (value) => ['zip', '-P', value, 'a.zip', 'a.txt'],
  '--token': (value) => ['deploy', '--token', value, '--region', 'eu'],
  '--token=': (value) => ['deploy', `--token=${value}`, '--region', 'eu'],
  '--password': (value) => ['deploy', '--password', value],
  '--password=': (value) => ['deploy', `--db-password=${value}`],
  '--api-key': (value) => ['deploy', '--api-key', value],
  '--client-secret': (value) => ['az', 'login', '--service-principal', '--client-secret', value],
  '-token': (value) => ['consul', 'members', '-token', value],
  '--passphrase': (value) => ['gpg', '--batch', '--passphrase', value, '-d', 'a.gpg'],
  '--access-key': (value) => ['mc', 'admin', '--access-key', value],
  '--pass': (value) => ['tool', '--pass', value],
  'address with a password': (value) => ['migrate', '-database', `mysql://root:${value}@db/shop`, 'up'],
  // Where the user's home is `/home` or `/root`, what follows `//` looks like it.
  'address whose user is a home': (value) => ['migrate', '-database', `mysql://home:${value}@db/shop`, 'up'],
  'address with a home behind': (value) => ['rclone', 'copy', `sftp://root:${value}@host//root/data`, '/home/a'],
  'from-literal': (value) => ['kubectl', 'create', 'secret', 'generic', 'db', `--from-literal=pw=${value}`],
  'aws configure': (value) => ['aws', 'configure', 'set', 'aws_secret_access_key', value],
  'npm config set': (value) => ['npm', 'config', 'set', '//registry.internal/:_authToken', value],
};
/** What only a shell writes. */
const lines: Readonly<Record<string, (value: string) => string>> = {
  PGPASSWORD: (value) => `PGPASSWORD=${value.slice(0, 7)} psql -h db -U app`,
  MYSQL_PWD: (value) => `MYSQL_PWD='${value}' mysql -h db`,
  SSHPASS: (value) => `SSHPASS="${value}" sshpass -e ssh deploy@host`,
  'export DB_PASS': (value) => `export DB_PASS=${value}`,
  'docker -e': (value) => `docker run -e MYSQL_ROOT_PASSWORD=${value} mysql`,
  'stdin of login': (value) => `echo ${value} | docker login -u ci --password-stdin`,
  chpasswd: (value) => `echo "root:${value}" | chpasswd`,
  'continued line': (value) => `curl -s \\\n    -u admin:${value} \\\n    https://api.internal/`,
  'quoted with a blank': (value) => `deploy --password "two ${value}" --x`,
};

const quoteWord = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`);
const shell = (words: Argv) => words.map(quoteWord).join(' ');
const everyArgv = (place: string) => Object.entries(argv).map(([shape, make]) => make(secret(`${shape} in ${place}`)));
const everyLine = (place: string) => [
  ...everyArgv(place).map(shell),
  ...Object.entries(lines).map(([shape, make]) => make(secret(`${shape} in ${place}`))),
];
const onOneLine = (line: string) => line.replace(/\s*\\\n\s*/g, ' ');
const numbered = <T>(list: readonly T[], name: string) =>
  Object.fromEntries(list.map((item, at) => [`${name}${at}`, item]));

/** A GitHub token as a name would hold it; every one begins with the mark after its prefix. */
const token = (what: string) => `${'gh'}p_${secret(what)}`.padEnd(40, 'x1Y');

function plant(): FixtureRepo {
  const files: Record<string, string> = {
    'package.json': JSON.stringify({
      name: 'a',
      version: '1.0.0',
      scripts: {
        ...numbered(everyLine('package.json').map(onOneLine), 's'),
        test: `vitest run --token ${secret('test script')}`,
      },
      config: { password: secret('package.json config') },
    }),
    Dockerfile: `FROM node:22\n${everyLine('RUN')
      .map((line) => `RUN ${line}`)
      .join(
        '\n',
      )}\nHEALTHCHECK CMD curl -f -u admin:${secret('HEALTHCHECK')} http://localhost/\nCMD mysql -uroot -p${secret('CMD shell')}\n`,
    ...Object.fromEntries(
      everyArgv('CMD exec').map((words, at) => [
        `images/${at}/Dockerfile`,
        `FROM node:22\nHEALTHCHECK --interval=5s CMD ${JSON.stringify(['sh', '-c', shell(argv['curl -u']?.(secret(`HEALTHCHECK exec ${at}`)) ?? [])])}\nENTRYPOINT ["tini", "--"]\nCMD ${JSON.stringify(words)}\n`,
      ]),
    ),
    'compose.yaml': JSON.stringify({
      services: {
        ...numbered(
          everyArgv('compose command').map((command) => ({ image: 'a', command })),
          'c',
        ),
        ...numbered(
          everyLine('compose text').map((line) => ({ image: 'a', command: line })),
          't',
        ),
        ...numbered(
          everyArgv('compose healthcheck').map((words) => ({ image: 'a', healthcheck: { test: ['CMD', ...words] } })),
          'h',
        ),
        e: { image: 'a', environment: { DB_PASS: secret('compose map'), MYSQL_PWD: secret('compose map') } },
        l: {
          image: 'a',
          environment: [`DB_PASS=${secret('compose list')}`, `REDIS_PASSWORD=${secret('compose list')}`],
        },
      },
    }),
    'deploy/compose.yaml': `services:\n  a:\n    image: a\n    command:\n${everyArgv('YAML list')
      .map((words) => words.map((word) => `      - ${JSON.stringify(word)}`).join('\n'))
      .join(
        '\n',
      )}\n  b:\n    image: b\n    command:\n      - deploy\n      - --token\n      - ${secret('bare YAML list')}\n`,
    'k8s/deployment.yaml': JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: {
        template: {
          spec: {
            containers: everyArgv('k8s').map(([command, ...args], at) => ({
              name: `c${at}`,
              image: 'a',
              command: [command],
              args,
              livenessProbe: { exec: { command: ['redis-cli', '-a', secret('k8s probe')] } },
            })),
          },
        },
      },
    }),
    '.github/workflows/ci.yml': JSON.stringify({
      on: 'push',
      env: { DB_PASS: secret('workflow env') },
      jobs: { build: { 'runs-on': 'ubuntu', steps: everyLine('workflow').map((run) => ({ run })) } },
    }),
    '.gitlab-ci.yml': JSON.stringify({ build: { script: everyLine('gitlab') } }),
    Makefile: `deploy:\n${everyLine('Makefile')
      .map((line) => `\t${onOneLine(line)}`)
      .join('\n')}\n`,
    justfile: `deploy:\n${everyLine('justfile')
      .map((line) => `  ${onOneLine(line)}`)
      .join('\n')}\n`,
    'Taskfile.yml': JSON.stringify({ version: '3', tasks: { deploy: { cmds: everyLine('Taskfile') } } }),
    'scripts/deploy.sh': `#!/bin/sh\n${everyLine('script').join('\n')}\n`,
    'src/index.ts': `import { exec, spawn } from 'node:child_process';\n${everyLine('exec')
      .map((line) => `exec(${JSON.stringify(line)});`)
      .join('\n')}\n${everyArgv('spawn')
      .map(([file, ...rest]) => `spawn(${JSON.stringify(file)}, ${JSON.stringify(rest)});`)
      .join('\n')}\n`,
    'tools/run.py': `import subprocess\n${everyArgv('subprocess')
      .map((words) => `subprocess.run(${JSON.stringify(words)})`)
      .join('\n')}\n`,
    'README.md': `# A\n\n\`\`\`sh\n${everyLine('README').join('\n')}\n\`\`\`\n`,
    'docs/adr/0001-a.md': `# 1. A\n\n## Status\n\nAccepted\n\n## Context\n\n    ${everyLine('ADR').join('\n    ')}\n`,
    [`src/${token('a file name')}.ts`]: 'export const inside = 1;\n',
    [`${token('a directory name')}/b.ts`]: "import { inside } from '../src/index';\nexport const beside = inside;\n",
    'src/imports.ts': `import { inside } from './${token('an import')}';\nexport const other = inside;\n`,
    Procfile: everyLine('Procfile')
      .map((line, at) => `p${at}: ${onOneLine(line)}`)
      .join('\n'),
  };
  const made = createFixtureRepo(files);
  made.git('commit', '-q', '--allow-empty', '-m', `run ${onOneLine(everyLine('a commit message').join('; '))}`);
  made.git('checkout', '-q', '-b', `deploy/${token('a branch')}`);
  made.git('remote', 'add', 'origin', `https://root:${secret('a remote')}@example.com/org/a.git`);
  return made;
}

let repo: FixtureRepo;
beforeAll(async () => {
  repo = plant();
  const echo = echoProbe('echo', ['**/*.{ts,md,json,yaml,yml,sh,py}', 'Dockerfile', 'Makefile']);
  await repo.publish({ skip: ['semgrep'] }, { probes: [...probes, echo] });
  const indexed = await runCli(['index'], { cwd: repo.root, home: repo.home });
  expect(indexed.code, indexed.stderr).toBe(0);
});
afterAll(() => repo.dispose());

const find = new RegExp(`${mark}[0-9a-z]{1,3}(?:Wv4)?`, 'gi');

/** What of it leaked, by what and where it was. */
function leaksOf(where: string, text: string): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(find)) {
    const value = [...planted.keys()].find((key) => key.toLowerCase().startsWith(match[0].toLowerCase()));
    found.add(
      `${planted.get(value ?? '') ?? match[0]} → ${where}: ${text.slice(Math.max(0, match.index - 40), match.index + 10).replaceAll('\n', ' ')}`,
    );
  }
  return [...found];
}

/** Empty where nothing leaked. */
const summary = (leaks: readonly string[]) =>
  leaks.length === 0 ? '' : `${leaks.length} leaks of ${planted.size} secrets\n${leaks.slice(0, 40).join('\n')}`;

const leaksIn = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).flatMap(([path, content]) => [
    ...leaksOf(path, content),
    ...leaksOf(`the name of ${path}`, path),
  ]);

test('P8 no byte that was written anywhere holds a planted secret', () => {
  const written = repo.written();
  expect(planted.size).toBeGreaterThan(150);
  expect(Object.keys(written).length).toBeGreaterThan(20);
  expect(summary(leaksIn(written))).toBe('');
});

test('P8 nor where the home directory is one that addresses seem to name, and paths are shortened by it', async () => {
  const base = join(repo.base, 'second');
  const environment = {
    PATH: process.env['PATH'],
    CODEGENIE_STATE_DIR: base,
    CODEGENIE_CACHE_KEY: 'nothing is written below that home',
  };
  const echo = echoProbe('echo', ['**/*.{ts,md,json,yaml,yml,sh,py}', 'Dockerfile', 'Makefile']);
  const { envelope } = await repo.publish(
    { skip: ['semgrep'] },
    { home: '/home', environment, probes: [...probes, echo] },
  );
  const written = { ...readTree(base), ...repo.written() };
  expect(written[`trees/${basename(repo.stateDir)}/tree.json`]).toContain(repo.root);
  // Paths were shortened: `/home/a` stands in every place.
  expect(JSON.stringify(envelope)).toContain('~/a');
  expect(summary(leaksIn(written))).toBe('');
});

test('S12 no row and no term of any database holds a planted secret', () => {
  const databases = [repo.stateDir, repo.cacheDir, join(repo.root, '.codegenie')].flatMap((directory) =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter(
        (entry) =>
          entry.isFile() &&
          readFileSync(join(entry.parentPath, entry.name)).subarray(0, 15).toString() === 'SQLite format 3',
      )
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  expect(databases.length).toBeGreaterThan(1);
  const marked = encodeTrigrams(Buffer.from(mark));
  const leaks: string[] = [];
  for (const path of databases) {
    const db = new DatabaseSync(path, { readOnly: true, readBigInts: true });
    const tables = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").all() as {
      name: string;
      sql: string;
    }[];
    for (const { name, sql } of tables) {
      if (/USING fts5/i.test(sql)) {
        db.exec(`CREATE VIRTUAL TABLE temp.terms_${name} USING fts5vocab(main, '${name}', 'row')`);
        const terms = db.prepare(`SELECT term FROM temp.terms_${name}`).all() as { term: string }[];
        for (const { term } of terms) {
          leaks.push(...leaksOf(`${path} ${name} term`, term));
          if (term === marked) leaks.push(`a trigram of a secret → ${path} ${name}`);
        }
      } else {
        for (const row of db.prepare(`SELECT * FROM "${name}"`).all())
          leaks.push(...leaksOf(`${path} ${name}`, Object.values(row).join(' ')));
      }
    }
    db.close();
  }
  expect(summary(leaks)).toBe('');
});

test('P8 a daemon answers no planted secret, over HTTP or to tools, and leaves none, in its log neither', async () => {
  const daemon = await startTestDaemon(repo, { port: 0, mcp: createMcpHttpHandler });
  const answers: Record<string, string> = {};
  const keep = (what: string, text: string) => {
    answers[what] = text;
  };
  try {
    const words = ['curl', 'mysql', 'deploy', 'token', 'password', 'PASS', 'docker', 'inside', 'exec', 'spawn', 'run'];
    const asks: readonly (readonly [string, object])[] = [
      ...words.flatMap((query) => [
        ['/v1/search', { query }] as const,
        ['/v1/symbols', { query }] as const,
        ['/v1/navigate', { kind: 'refs', target: query }] as const,
        ['/v1/navigate', { kind: 'def', target: query }] as const,
      ]),
      ...['src/index.ts', 'src/imports.ts', 'tools/run.py', 'scripts/deploy.sh'].flatMap((path) => [
        ['/v1/navigate', { kind: 'outline', path }] as const,
        ['/v1/navigate', { kind: 'deps', path }] as const,
        ['/v1/slice', { target: path, kind: 'imports' }] as const,
      ]),
      ['/v1/plans', { kind: 'rename', target: 'src/imports.ts:2:14', new_name: 'another' }],
      ['/v1/plans', { kind: 'move', file: 'src/imports.ts', to: 'src/moved.ts' }],
      ['/v1/gather', { only: ['ci', 'dockerfile'] }],
    ];
    for (const [url, body] of asks) {
      const { status, text } = await daemon.post(url, body);
      keep(`${status} ${url} ${JSON.stringify(body)}`, text);
    }
    for (const url of ['/v1/status', '/v1/report', '/v1/facts?explain=true', '/v1/context/envelope', '/v1/plans'])
      keep(url, (await daemon.http(url)).text);
    const token = readFileSync(daemon.at.tokenFile ?? '', 'utf8').trim();
    const client = await connectHttp(`http://127.0.0.1:${daemon.at.port}/mcp`, {
      authorization: `Bearer ${token}`,
      'x-codegenie-root': daemon.workspace().repo().root_hash,
    });
    const calls: readonly (readonly [string, object])[] = [
      ...words.flatMap((query) => [['search', { query }] as const, ['symbols', { query }] as const]),
      ...words.map((target) => ['navigate', { op: 'refs', target }] as const),
      ['navigate', { op: 'outline', path: 'src/index.ts' }],
      ['repo_context', {}],
      ['repo_context', { section: 'ci' }],
      ['status', {}],
      ['plan_refactor', { kind: 'rename', target: 'src/imports.ts:2:14', to: 'again' }],
    ];
    for (const [name, args] of calls)
      keep(`${name} ${JSON.stringify(args)}`, JSON.stringify((await client.call(name, args)).answer));
    await client.close();
  } finally {
    await daemon.stop();
  }
  expect(Object.values(answers).filter((text) => text.includes('curl')).length).toBeGreaterThan(10);
  expect(summary(leaksIn(answers))).toBe('');
  const written = repo.written();
  expect(written['state dir: logs/daemon.log']).toContain('ready: generation');
  expect(summary(leaksIn(written))).toBe('');
});
