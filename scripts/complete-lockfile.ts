// Completes package-lock.json after `npm install`.
//
// npm leaves an optional platform package out of the lockfile when the registry it talks to does not carry it, and `npm ci`
// then refuses the lockfile on every machine ("Missing: x@ from lock file"). This adds the missing entries, filtered by os and
// cpu as their names say, so that one lockfile serves all platforms. Run it after every change of dependencies.

import { readFileSync, writeFileSync } from 'node:fs';

type LockEntry = {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, LockEntry> };
const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'netbsd', 'openbsd', 'sunos', 'aix'];
const processors = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'wasm32', 'mips64el'];

let added = 0;
for (const [path, parent] of Object.entries(lock.packages)) {
  if (path === '') continue;
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (lock.packages[key] !== undefined || !/^\d/.test(version)) continue;
    const words = name.split(/[-/]/);
    const os = systems.filter((system) => words.includes(system));
    const cpu = processors.filter((processor) => words.includes(processor));
    if (os.length === 0 && cpu.length === 0)
      throw new Error(`no platform in the name of ${name}: add its entry by hand`);
    lock.packages[key] = {
      version,
      ...(cpu.length > 0 ? { cpu } : {}),
      ...(parent.dev === true ? { dev: true } : {}),
      ...(words.includes('musl') ? { libc: ['musl'] } : words.includes('gnu') ? { libc: ['glibc'] } : {}),
      optional: true,
      ...(os.length > 0 ? { os } : {}),
    };
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
console.log(`package-lock.json: ${added} platform entries added`);
