/**
 * The allow-list: every program this one may start, one row each (gather.md §5, rule 2).
 * A name that is not here cannot be started. Absent on purpose: shells, sudo, package managers, python.
 */

export type Tool = {
  /** File name looked for on PATH (`rg`, not `ripgrep`). */
  readonly binary: string;
  /**
   * `allowlisted`: started plainly by `runAllowlisted`. `external`: analysers and indexers, which read hostile files and
   * therefore only ever start through `runExternalCli`, inside the sandbox where there is one.
   */
  readonly lane: 'allowlisted' | 'external';
  readonly versionArgs: readonly string[];
  /** One sentence for the person who lacks it. */
  readonly install: string;
  /** What is told or done with it and not without it; absent where what is there does the same. */
  readonly gives?: string;
  /** What it is called by the package managers that have it. */
  readonly packages?: Readonly<Partial<Record<PackageManager, string>>>;
  /** Engines talk to a service of the user's: they get the real home directory and the variables that name the service. */
  readonly engine?: true;
  /** The npm package that brings it, if it is among our own dependencies. */
  readonly npmPackage?: string;
  /** The PyPI package that brings it: its version is read off the installation, because Python takes seconds to say it. */
  readonly pypiPackage?: string;
  /** A script of this package, run by the Node that runs us with the compiler; it has the compiler's version. Below the package's directory. */
  readonly own?: { readonly source: string; readonly built: string };
  /** Constant settings that keep the tool quiet and offline. */
  readonly environment?: Readonly<Record<string, string>>;
};

/** Programs that a person installs with, and how. They are named in an answer and never started. Those of the system come first. */
export const packageManagers = {
  'apt-get': { install: 'sudo apt-get install', atOnce: true },
  dnf: { install: 'sudo dnf install', atOnce: true },
  pacman: { install: 'sudo pacman -S', atOnce: true },
  zypper: { install: 'sudo zypper install', atOnce: true },
  apk: { install: 'sudo apk add', atOnce: true },
  brew: { install: 'brew install', atOnce: true },
  npm: { install: 'npm install --global', atOnce: true },
  pipx: { install: 'pipx install', atOnce: true },
  go: { install: 'go install', atOnce: false },
  rustup: { install: 'rustup component add', atOnce: true },
  dotnet: { install: 'dotnet tool install --global', atOnce: false },
  cs: { install: 'cs install --contrib', atOnce: true },
} as const satisfies Record<string, { readonly install: string; readonly atOnce: boolean }>;

export type PackageManager = keyof typeof packageManagers;

/** By the managers of Linux distributions, under one name. */
const linux = (name: string) => ({ 'apt-get': name, dnf: name, pacman: name, zypper: name, apk: name });
const debian = (name: string) => `Install the Debian package ${name} (apt-get install ${name}).`;
const npm = (name: string) => `Install the npm package ${name} (npm install --global ${name}).`;
const goModule = (path: string) => `Install the Go module (go install ${path}@latest).`;

export const tools = {
  git: {
    binary: 'git',
    lane: 'allowlisted',
    versionArgs: ['--version'],
    install: debian('git'),
    packages: { ...linux('git'), brew: 'git' },
  },
  node: {
    binary: 'node',
    lane: 'allowlisted',
    versionArgs: ['--version'],
    install: 'Install Node.js (https://nodejs.org, or the Debian package nodejs).',
  },
  docker: {
    binary: 'docker',
    lane: 'allowlisted',
    versionArgs: ['--version'],
    install: debian('docker.io'),
    engine: true,
    gives: 'images that are built and traced',
    packages: { 'apt-get': 'docker.io', apk: 'docker', pacman: 'docker', zypper: 'docker' },
  },
  podman: {
    binary: 'podman',
    lane: 'allowlisted',
    versionArgs: ['--version'],
    install: debian('podman'),
    engine: true,
    gives: 'images that are built and traced',
    packages: { ...linux('podman'), brew: 'podman' },
  },
  strace: {
    binary: 'strace',
    lane: 'allowlisted',
    versionArgs: ['--version'],
    install: debian('strace'),
    gives: 'what the program of an image opens, starts and connects to',
    packages: linux('strace'),
  },
  bwrap: {
    binary: 'bwrap',
    lane: 'allowlisted',
    versionArgs: ['--version'],
    install: debian('bubblewrap'),
    gives: 'analysers that see neither the network nor the rest of the machine',
    packages: linux('bubblewrap'),
  },
  rg: {
    binary: 'rg',
    lane: 'external',
    versionArgs: ['--version'],
    install: debian('ripgrep'),
    gives: 'the curated patterns',
    packages: { ...linux('ripgrep'), brew: 'ripgrep' },
  },
  'ast-grep': {
    binary: 'ast-grep',
    lane: 'external',
    versionArgs: ['--version'],
    install: npm('@ast-grep/cli'),
    gives: 'ast-grep rules of your own',
    packages: { brew: 'ast-grep', npm: '@ast-grep/cli' },
  },
  gitleaks: {
    binary: 'gitleaks',
    lane: 'external',
    versionArgs: ['version'],
    install: goModule('github.com/zricethezav/gitleaks/v8'),
    gives: 'more kinds of secrets, and those of the history',
    packages: { brew: 'gitleaks', go: 'github.com/zricethezav/gitleaks/v8@latest' },
  },
  semgrep: {
    binary: 'semgrep',
    lane: 'external',
    versionArgs: ['--version'],
    install: 'Install the PyPI package semgrep (pipx install semgrep).',
    gives: 'hazards of Node programs, shell scripts and images',
    packages: { brew: 'semgrep', pipx: 'semgrep' },
    pypiPackage: 'semgrep',
    environment: { SEMGREP_SEND_METRICS: 'off', SEMGREP_ENABLE_VERSION_CHECK: '0' },
  },
  syft: {
    binary: 'syft',
    lane: 'external',
    versionArgs: ['--version'],
    install: goModule('github.com/anchore/syft/cmd/syft'),
    gives: 'bills of materials of more kinds of images',
    packages: { brew: 'syft', go: 'github.com/anchore/syft/cmd/syft@latest' },
    environment: { SYFT_CHECK_FOR_APP_UPDATE: 'false' },
  },
  grype: {
    binary: 'grype',
    lane: 'external',
    versionArgs: ['--version'],
    install: goModule('github.com/anchore/grype/cmd/grype'),
    gives: 'known vulnerabilities of what an image contains',
    packages: { brew: 'grype', go: 'github.com/anchore/grype/cmd/grype@latest' },
    environment: { GRYPE_DB_AUTO_UPDATE: 'false', GRYPE_CHECK_FOR_APP_UPDATE: 'false', GRYPE_DB_VALIDATE_AGE: 'false' },
  },
  'scip-typescript': {
    binary: 'scip-typescript',
    lane: 'external',
    versionArgs: ['--version'],
    install: npm('@sourcegraph/scip-typescript'),
    npmPackage: '@sourcegraph/scip-typescript',
  },
  tsgo: {
    binary: 'tsgo',
    lane: 'external',
    versionArgs: ['--version'],
    install: 'Install codegenie again; until then `scip.indexer: scip-typescript` chooses the other indexer.',
    npmPackage: 'typescript',
    own: { source: 'src/languages/typescript/tsgo/tsgo-job.ts', built: 'dist/tsgo-job.js' },
    // It makes much garbage that is short-lived: room for it would double what it holds and save no time.
    environment: { NODE_NO_WARNINGS: '1', NODE_OPTIONS: '--max-semi-space-size=4' },
  },
  'scip-python': {
    binary: 'scip-python',
    lane: 'external',
    versionArgs: ['--version'],
    install: npm('@sourcegraph/scip-python'),
    gives: 'exact references in Python',
    packages: { npm: '@sourcegraph/scip-python' },
    npmPackage: '@sourcegraph/scip-python',
  },
  'scip-go': {
    binary: 'scip-go',
    lane: 'external',
    versionArgs: ['--version'],
    install: goModule('github.com/scip-code/scip-go/cmd/scip-go'),
    gives: 'exact references in Go',
    packages: { go: 'github.com/scip-code/scip-go/cmd/scip-go@latest' },
  },
  'scip-java': {
    binary: 'scip-java',
    lane: 'external',
    versionArgs: ['--version'],
    install: 'Install scip-java with coursier (coursier install --contrib scip-java).',
    gives: 'exact references in Java, Kotlin and Scala',
    packages: { cs: 'scip-java' },
  },
  'scip-clang': {
    binary: 'scip-clang',
    lane: 'external',
    versionArgs: ['--version'],
    install: 'Put the release binary of github.com/sourcegraph/scip-clang on PATH.',
    gives: 'exact references in C and C++',
  },
  'scip-dotnet': {
    binary: 'scip-dotnet',
    lane: 'external',
    versionArgs: ['--version'],
    install: 'Install the .NET tool scip-dotnet (dotnet tool install --global scip-dotnet).',
    gives: 'exact references in C#',
    packages: { dotnet: 'scip-dotnet' },
  },
  'rust-analyzer': {
    binary: 'rust-analyzer',
    lane: 'external',
    versionArgs: ['--version'],
    install: 'Install the rustup component rust-analyzer (rustup component add rust-analyzer).',
    gives: 'exact references in Rust',
    packages: { rustup: 'rust-analyzer', brew: 'rust-analyzer' },
  },
} as const satisfies Record<string, Tool>;

export type ToolName = keyof typeof tools;

export const toolNames = Object.keys(tools) as readonly ToolName[];

export function findTool(name: string): Tool | undefined {
  return Object.hasOwn(tools, name) ? tools[name as ToolName] : undefined;
}

/** `ripgrep 13.0.0 (rev …)` → `13.0.0`; two-part versions (`strace 6.1`) get a zero. Undefined where nothing looks like one. */
export function parseVersion(text: string): string | undefined {
  const found = /(?<![\d.])(\d{1,9}\.\d{1,9})(\.\d{1,9})?(-[0-9A-Za-z][0-9A-Za-z.-]{0,63})?/.exec(text);
  return found ? `${found[1]}${found[2] ?? '.0'}${found[3] ?? ''}` : undefined;
}
