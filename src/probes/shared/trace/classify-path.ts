/** What a path of a traced program is, by its name alone: the vocabulary of the trace's sets. */

const shells = new Set(['sh', 'bash', 'dash', 'ash', 'zsh']);
const configFile = /\.(?:json|json5|ya?ml|toml|ini|conf|cnf|cfg|properties|env|xml)$|^\.env(?:\..+)?$/;
const systemDirectory = /^\/(?:bin|sbin|lib|lib32|lib64|libx32|usr|etc|var|tmp|run|boot|nix)(?:\/|$)/;

export function isKernelPath(path: string): boolean {
  return /^\/(?:proc|sys|dev)(?:\/|$)/.test(path);
}

export function isSharedLibrary(path: string): boolean {
  return /\.(?:so(?:\.\d+)*|node)$/.test(path);
}

export function isCertificate(path: string): boolean {
  return /\.(?:crt|pem|cer)$/.test(path) || /ca-certificates|\/etc\/(?:ssl|pki)(?:\/|$)/.test(path);
}

/** Busybox is every shell there is, by the name it was started with. */
export function isShell(path: string, argv: readonly string[]): boolean {
  const program = baseName(path);
  if (program !== 'busybox' && path !== '/proc/self/exe') return shells.has(program);
  const calledAs = baseName(argv[0] ?? '');
  return shells.has(calledAs === 'busybox' ? baseName(argv[1] ?? '') : calledAs);
}

export type FileClass = 'cert' | 'node_modules' | 'config' | 'app' | 'other';

/** One class per file. The application's own are those below the working directory, and whatever lies outside the system's directories. */
export function classifyFile(path: string, workdir: string | null): FileClass {
  if (isCertificate(path)) return 'cert';
  if (path.includes('/node_modules/')) return 'node_modules';
  if (configFile.test(baseName(path))) return 'config';
  const isBelowWorkdir = workdir !== null && workdir !== '/' && path.startsWith(`${workdir.replace(/\/+$/, '')}/`);
  return isBelowWorkdir || !systemDirectory.test(path) ? 'app' : 'other';
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
