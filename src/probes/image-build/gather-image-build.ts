/** Builds the image of the repository and says what became of it; the probe's own work, loaded only when an image is built. */

import type { ProbeContext, ProbeOutput, ProbeRepo } from '../../gather/contract.ts';
import { limits } from '../../kernel/base/limits.ts';
import { decodeLenient, singleLine, truncate } from '../../kernel/base/text.ts';
import {
  type BuildOutcome,
  type Engine,
  type ImageConfig,
  imageRefForDigest,
  latestImageRef,
} from '../../kernel/containers/engine.ts';
import { openEngine } from '../shared/open-engine.ts';
import { tailOf } from '../shared/scanners.ts';
import { type DockerfileView, dockerIgnoreFile, findDockerfile, findStage, readDockerIgnore } from './build-context.ts';
import { normaliseDockerfile } from './image-build-section.ts';
import { refuseMounts } from './refuse-mounts.ts';

export type ImageBuildContext = ProbeContext<
  | 'containers.engine'
  | 'containers.build_network'
  | 'containers.pull'
  | 'containers.memory_mb'
  | 'image_build.dockerfile'
  | 'image_build.target'
  | 'image_build.args'
>;

/** In the place of an image that the text does not name. */
const unnamedBase = '$';

/** The data of this program is no part of any image; it comes last, so that no line of the repository brings it back. */
const ownData = '.codegenie';

export async function gatherImageBuild(
  repo: ProbeRepo,
  ctx: ImageBuildContext,
  /** Asked when the build begins. */
  leftS: () => number,
): Promise<ProbeOutput> {
  const { config } = ctx;
  const dockerfile = normaliseDockerfile(config['image_build.dockerfile']) ?? '';
  const target = config['image_build.target'];
  // A link would have the engine read what is not an input, possibly outside the repository.
  const read = dockerfile === '' ? { kind: 'absent' } : await repo.inputs.read(dockerfile, limits.textBytes);
  if (read.kind !== 'read' || !('bytes' in read)) {
    const detail = `${dockerfile} is not a regular file of the repository, or too large`;
    return { kind: 'skipped', reason: 'not_applicable', detail };
  }
  const engine = await openEngine(ctx);
  if (engine.kind === 'none') return { kind: 'skipped', reason: engine.reason, detail: singleLine(engine.detail) };

  const view = findDockerfile(ctx.upstream['dockerfile']?.value, dockerfile);
  const text = decodeLenient(read.bytes);
  const missing = config['containers.pull'] === 'never' ? await listMissingBases(engine, view) : [];
  if (missing.length > 0) {
    const detail = `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not here, and images are not pulled: pull ${missing.length === 1 ? 'it' : 'them'} yourself, or set containers.pull to missing`;
    return { kind: 'skipped', reason: 'upstream_unavailable', detail: singleLine(detail) };
  }
  // Before the build: what is exchanged while it runs is noticed afterwards.
  const bases = await findBases(engine, view, text);
  const about = { engine: engine.kind, engine_version: engine.version, dockerfile, target, bases };
  const wayOut = refuseWayOut(engine, repo, text);
  const refused = wayOut ?? refuseNetwork(ctx, view);
  const built =
    refused ??
    (await engine.build({
      root: repo.root,
      dockerfile,
      text,
      target,
      // Without a value the engine would take it from its own environment.
      args: config['image_build.args'].filter((argument) => argument.includes('=')),
      network: config['containers.build_network'],
      pull: config['containers.pull'],
      memoryMb: config['containers.memory_mb'],
      ignore: `${await readDockerIgnore(repo)}\n${ownData}\n`,
      workspace: ctx.workspace,
      timeoutS: leftS(),
    }));
  ctx.logger.event('probe.image_build.finish', {
    outcome: built.kind,
    configuration: engine.configuration,
    unenforced: [...engine.unenforced],
  });
  const log = 'log' in built ? built.log : '';
  const common = {
    kind: 'ran',
    rawArtifacts: [{ name: 'image-build.log', kind: 'text', from: Buffer.from(log) }],
    evidence: [{ path: dockerfile }, ...(repo.inputs.has(dockerIgnoreFile) ? [{ path: dockerIgnoreFile }] : [])],
  } as const;
  if (built.kind === 'built') {
    const facts = await engine.inspectImage(built.digest);
    const ref = imageRefForDigest(built.digest);
    if (facts !== null && ref.kind === 'ref') {
      await engine.tagImage(facts.digest, ref.ref);
      await engine.tagImage(facts.digest, latestImageRef(repo.root));
      const image = {
        ...about,
        image_ref: ref.ref,
        built_image_digest: facts.digest,
        size_bytes: facts.sizeBytes,
        config: published(facts.config, findStage(view, target)?.healthcheck ?? null),
        outcome: { kind: 'built' },
      };
      return { ...common, slice: { image_build: image }, confidence: 'high' };
    }
  }
  const failure = failureOf(built);
  const none = { image_ref: null, built_image_digest: null, size_bytes: null, config: null };
  return {
    ...common,
    slice: { image_build: { ...about, ...none, outcome: { kind: 'failed', ...failure } } },
    confidence: 'low',
    errors: [built.kind === 'timed_out' ? 'image_build.timeout' : 'image_build.failed'],
    ...explain(engine, ctx, failure, wayOut === null),
  };
}

/** Every image that the build takes something from, as the engine has it now. */
async function findBases(engine: Engine, view: DockerfileView | undefined, text: string) {
  const mounted = [...text.matchAll(/--mount=\S*?\bfrom=([^,\s]+)/g)].map(([, ref = '']) => ref);
  const refs = new Set([...(view?.outside ?? [null]), ...mounted]);
  const bases: { ref: string; digest: string | null }[] = [];
  for (const ref of refs)
    bases.push(
      ref === null
        ? { ref: unnamedBase, digest: null }
        : { ref, digest: (await engine.inspectImage(ref))?.digest ?? null },
    );
  return bases;
}

type Failure = { readonly stderr_tail: string; readonly step: string | null };

function failureOf(built: BuildOutcome): Failure {
  if (built.kind === 'failed') return { stderr_tail: built.stderrTail, step: built.step };
  if (built.kind === 'timed_out') return { stderr_tail: tailOf(built.log), step: null };
  return {
    stderr_tail: built.kind === 'cancelled' ? 'cancelled' : 'the image is not there after the build',
    step: null,
  };
}

function refuse(why: string, step: string): BuildOutcome {
  return { kind: 'failed', stderrTail: why, step, log: `${why}\n` };
}

/** A mount that could lead out of the build. docker's builder keeps them all inside. */
function refuseWayOut(engine: Engine, repo: ProbeRepo, text: string): BuildOutcome | null {
  if (engine.kind !== 'podman') return null;
  const mount = refuseMounts(text, listPlaces(repo));
  if (mount === null) return null;
  const why =
    'A mount that could reach files outside the build is not allowed: only tmpfs, cache, and bind of files of the repository, read-only.';
  return refuse(why, singleLine(truncate(`RUN ${mount}`, 200)));
}

/** Files of the repository, and directories of such: what was listed was come to without following a link. */
function listPlaces(repo: ProbeRepo): (path: string) => boolean {
  const files = repo.scope.files.flatMap(({ path, kind }) => (kind === 'file' ? [path] : []));
  return (path) => files.some((file) => file === path || file.startsWith(`${path}/`));
}

/**
 * Without a network nothing is fetched, also not by the builder itself, whose ADD of an address and whose `FROM` under docker know
 * nothing of the network of RUN lines.
 */
function refuseNetwork(ctx: ImageBuildContext, view: DockerfileView | undefined): BuildOutcome | null {
  if (ctx.config['containers.build_network'] === 'none') {
    const address = view?.sources.find((source) => /^(?:https?|ftp|git|ssh):|^git@/i.test(source));
    if (address !== undefined)
      return refuse('ADD of an address needs a network, and builds have none.', `ADD ${address}`);
  }
  return null;
}

async function listMissingBases(engine: Engine, view: DockerfileView | undefined): Promise<readonly string[]> {
  const bases = new Set(
    (view?.stages ?? []).flatMap(({ base }) => (base === null || base.includes('$') ? [] : [base])),
  );
  const missing: string[] = [];
  for (const base of bases) if ((await engine.inspectImage(base)) === null) missing.push(base);
  return missing;
}

/** What about the circumstances, rather than the Dockerfile, may have made the build fail. */
function explain(engine: Engine, ctx: ImageBuildContext, failure: Failure, wasTried: boolean) {
  const noNetwork =
    wasTried && ctx.config['containers.build_network'] === 'none' && /\b(?:RUN|ADD)\b/i.test(failure.step ?? '');
  return {
    warnings: noNetwork ? ['image_build.network_disabled'] : [],
    diagnostics: [{ id: 'image_build.failed', detail: sayFailure(engine, failure) }],
  };
}

/** The step and the last thing that was said, which is where builders put the reason. */
function sayFailure({ kind, version }: Engine, { step, stderr_tail: tail }: Failure): string {
  const lines = tail.split('\n').filter((line) => line.trim() !== '');
  const last = (lines.at(-1) ?? 'nothing was said').replace(/ &imagebuilder\.Step\{.*$/, '');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = kind === 'podman' && (major < 4 || (major === 4 && minor < 9));
  const hint = isOld && /Unknown instruction/.test(last) ? ' (here-documents need podman 4.9)' : '';
  return singleLine(`${step === null ? '' : `${step}: `}${last}${hint}`);
}

/** podman's images have no place for a health check, so it is taken from the text. */
function published(config: ImageConfig, fromText: readonly string[] | null) {
  const healthcheck = config.healthcheck ?? fromText;
  return {
    entrypoint: [...config.entrypoint],
    cmd: [...config.cmd],
    env_names: [...config.env_names],
    user: config.user,
    workdir: config.workdir,
    exposed_ports: [...config.exposed_ports],
    healthcheck: healthcheck === null ? null : [...healthcheck],
    stop_signal: config.stop_signal,
  };
}
