/**
 * Which of the tools that tests like to have are missing, and how each could be brought here. Pure: looking, running and waiting are
 * `install-tools.ts`.
 */

export type InstallWorld = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  readonly isDebian: boolean;
  /** On PATH, or in the private directories. */
  readonly hasCommand: (name: string) => boolean;
  /** A step that failed lately is not tried at every run. */
  readonly failedLately: (step: string) => boolean;
  /** Where private tools go. */
  readonly cacheDir: string;
};

export type InstallCommand = {
  readonly argv: readonly [string, ...string[]];
  readonly timeoutMs: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** The next command is tried even so. */
  readonly mayFail?: true;
};
export type InstallStep = {
  readonly name: string;
  /** The commands it brings. */
  readonly brings: readonly string[];
  readonly commands: readonly InstallCommand[];
  /** Removed when the step fails: half an installation looks like a whole one. */
  readonly removes?: string;
};
export type InstallPlan = {
  readonly steps: readonly InstallStep[];
  readonly missing: readonly { readonly tool: string; readonly why: string }[];
};

/** Command → Debian package. */
const debianPackages: Readonly<Record<string, string>> = {
  podman: 'podman',
  buildah: 'buildah',
  runc: 'runc',
  'fuse-overlayfs': 'fuse-overlayfs',
  bwrap: 'bubblewrap',
  strace: 'strace',
  busybox: 'busybox-static',
  rg: 'ripgrep',
  chromium: 'chromium',
};

/** Command → what pip calls it. */
const pythonTools: Readonly<Record<string, string>> = {
  semgrep: 'semgrep==1.182.0',
  'ast-grep': 'ast-grep-cli==0.51.0',
};

type GoTool = { readonly module: string; readonly package: string; readonly version: string; readonly isSlow?: true };
const goTools: Readonly<Record<string, GoTool>> = {
  gitleaks: { module: 'github.com/zricethezav/gitleaks/v8', package: '', version: 'v8.30.1' },
  // Their builds take many minutes: only where they are asked for.
  syft: { module: 'github.com/anchore/syft', package: '/cmd/syft', version: 'v1.18.1', isSlow: true },
  grype: { module: 'github.com/anchore/grype', package: '/cmd/grype', version: 'v0.86.1', isSlow: true },
};

const seconds = 1_000;
/** Long enough for a mirror nearby; short enough without a network. */
const reachMs = 20 * seconds;
/** All steps run at once, and the tests wait for the slowest. */
const usualMs = 240 * seconds;

export const privateDirectories = (cacheDir: string): readonly string[] => [
  `${cacheDir}/bin`,
  ...Object.keys(pythonTools).map((name) => `${cacheDir}/${name}/bin`),
];

export function planInstall(world: InstallWorld): InstallPlan {
  const { CODEGENIE_TEST_INSTALL: wish, CODEGENIE_TEST_TOOLS: wanted } = world.environment;
  const plan = { steps: [] as InstallStep[], missing: [] as { tool: string; why: string }[] };
  const add = (tools: readonly string[], obstacle: string | undefined, step: () => InstallStep) => {
    const { name } = step();
    const why =
      wish === '0'
        ? 'switched off'
        : (obstacle ??
          (wish !== '1' && world.failedLately(name)
            ? 'failed lately, CODEGENIE_TEST_INSTALL=1 tries again'
            : undefined));
    if (why === undefined) plan.steps.push(step());
    else plan.missing.push(...tools.map((tool) => ({ tool, why })));
  };

  const commands = Object.keys(debianPackages).filter((command) => !world.hasCommand(command));
  if (commands.length > 0) add(commands, debianObstacle(world), () => debianStep(commands));
  for (const [name, requirement] of Object.entries(pythonTools)) {
    if (world.hasCommand(name)) continue;
    const obstacle = world.hasCommand('python3') ? undefined : 'no python3';
    add([name], obstacle, () => pythonStep(name, requirement, world.cacheDir));
  }
  for (const [name, tool] of Object.entries(goTools)) {
    if (world.hasCommand(name)) continue;
    const obstacle = !world.hasCommand('go')
      ? 'no go'
      : tool.isSlow === true && wanted !== 'all'
        ? 'takes long to build, CODEGENIE_TEST_TOOLS=all builds it'
        : undefined;
    add([name], obstacle, () => goStep(name, tool, world.cacheDir));
  }
  return plan;
}

function debianObstacle(world: InstallWorld): string | undefined {
  if (!world.isDebian || !world.hasCommand('apt-get')) return 'not Debian';
  return world.isRoot ? undefined : 'not root';
}

function debianStep(commands: readonly string[]): InstallStep {
  const packages = commands.map((command) => debianPackages[command] ?? command);
  const environment = { DEBIAN_FRONTEND: 'noninteractive' };
  const bounds = [
    'Acquire::http::Timeout=5',
    'Acquire::https::Timeout=5',
    'Acquire::Retries=0',
    'DPkg::Lock::Timeout=30',
  ];
  const options = bounds.flatMap((bound) => ['-o', bound]);
  return {
    name: 'apt',
    brings: commands,
    commands: [
      // A mirror that is not there must not keep known packages from being installed.
      { argv: ['apt-get', ...options, '-qq', 'update'], timeoutMs: 60 * seconds, environment, mayFail: true },
      {
        argv: ['apt-get', ...options, '-qq', '-y', '--no-install-recommends', 'install', ...packages],
        timeoutMs: usualMs,
        environment,
      },
    ],
  };
}

function pythonStep(name: string, requirement: string, cacheDir: string): InstallStep {
  const directory = `${cacheDir}/${name}`;
  const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--timeout', '5', '--retries', '0'];
  return {
    name,
    brings: [name],
    removes: directory,
    commands: [
      { argv: ['python3', '-m', 'venv', directory], timeoutMs: 60 * seconds },
      { argv: [`${directory}/bin/python3`, ...pip, requirement], timeoutMs: usualMs },
    ],
  };
}

function goStep(name: string, tool: GoTool, cacheDir: string): InstallStep {
  const environment = { GOBIN: `${cacheDir}/bin` };
  return {
    name,
    brings: [name],
    commands: [
      // Asks for the version alone: a network that is not there is known before the build begins.
      { argv: ['go', 'list', '-m', `${tool.module}@${tool.version}`], timeoutMs: reachMs, environment },
      {
        argv: ['go', 'install', `${tool.module}${tool.package}@${tool.version}`],
        timeoutMs: tool.isSlow === true ? 1_800 * seconds : usualMs,
        environment,
      },
    ],
  };
}
