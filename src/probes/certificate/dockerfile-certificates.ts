/** What Dockerfiles say about certificates: files that are copied in, trust stores that are rebuilt, variables that point to a bundle. */

import type { CopyDirective, DockerfileRow } from '../dockerfile/dockerfile-section.ts';
import { listInvocations } from '../shared/shell-commands.ts';

export type CertificatePath = { readonly path: string; readonly via: 'copy' | 'run' | 'repo_file' };

export type DockerfileCertificates = {
  readonly paths: readonly CertificatePath[];
  /** Programs that rebuilt a trust store. */
  readonly installers: ReadonlySet<string>;
  /** A certificate of the repository is brought into an image. */
  readonly bringsOwn: boolean;
  /** The system's bundle is carried from one image into another, or rebuilt. */
  readonly usesSystemBundle: boolean;
  readonly extraCaCerts: boolean;
  readonly opensslCa: boolean;
};

const systemStore =
  /^\/?(?:etc\/ssl|etc\/pki|usr\/share\/ca-certificates|usr\/local\/share\/ca-certificates|var\/lib\/ca-certificates)(?:\/|$)|ca-certificates\.crt$|ca-bundle\.(?:crt|trust\.crt)$/;

/** By name; a private key is none. */
export function isCertificatePath(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (/key|\.p8$/.test(name) && !/public|keystore/.test(name)) return false;
  return /\.(?:crt|cer|pem|der|ca-bundle|jks|truststore|p7b)$/.test(name);
}

export function readDockerfileCertificates(rows: readonly DockerfileRow[]): DockerfileCertificates {
  const paths: CertificatePath[] = [];
  const installers = new Set<string>();
  let bringsOwn = false;
  let usesSystemBundle = false;
  let extraCaCerts = false;
  let opensslCa = false;
  for (const row of rows) {
    for (const copy of row.copy_directives) {
      const certificates = certificatesOf(copy);
      paths.push(...certificates.map((path) => ({ path, via: 'copy' as const })));
      if (certificates.length === 0) continue;
      if (copy.from === null) bringsOwn = true;
      else if (certificates.some((path) => systemStore.test(path))) usesSystemBundle = true;
      else bringsOwn = true;
    }
    for (const { command } of row.run_commands) {
      for (const words of listInvocations(command.slice(0, 64 * 1024))) {
        const installer = installerOf(words);
        if (installer !== null) installers.add(installer);
        // Downloaded, written or moved into the store.
        const named = words
          .slice(1)
          .filter((word) => isCertificatePath(word) && !word.includes('$') && word.length < 500);
        paths.push(...named.map((path) => ({ path, via: 'run' as const })));
      }
    }
    for (const { env, entrypoint, cmd } of row.stages) {
      if (env.some(({ name }) => name === 'NODE_EXTRA_CA_CERTS')) extraCaCerts = true;
      const words = [...env.map(({ value }) => value ?? ''), ...entrypoint.argv, ...cmd.argv];
      if (words.some((word) => word.includes('--use-openssl-ca'))) opensslCa = true;
    }
  }
  return {
    paths,
    installers,
    bringsOwn: bringsOwn || paths.some(({ via }) => via === 'run'),
    usesSystemBundle: usesSystemBundle || installers.size > 0,
    extraCaCerts,
    opensslCa,
  };
}

/** The sources that are certificates by their name, or by the store they are copied into. */
function certificatesOf({ sources, destination }: CopyDirective): readonly string[] {
  const intoStore = systemStore.test(destination) || isCertificatePath(destination);
  return sources.filter(
    (source) => isCertificatePath(source) || (intoStore && !/key/i.test(source)) || systemStore.test(source),
  );
}

function installerOf([program = '', ...rest]: readonly string[]): string | null {
  if (program === 'update-ca-certificates' || program === 'update-ca-trust' || program === 'c_rehash') return program;
  if (program === 'keytool' && rest.some((word) => word === '-importcert' || word === '-import')) return 'keytool';
  return program === 'trust' && rest[0] === 'anchor' ? 'trust anchor' : null;
}
