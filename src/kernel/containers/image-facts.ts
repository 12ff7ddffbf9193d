/**
 * `image inspect` of either engine as the facts that are published. The digest is the id of the image's configuration, always with
 * its algorithm before it: podman leaves it out, and digests of manifests do not exist for what was built here.
 */

import { compareCodeUnits, isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { ImageConfig, ImageFacts } from './types.ts';

/** `sha256:<64 hex>`, or null for what is no digest. */
export function normaliseDigest(id: string): string | null {
  const hex = id.trim().replace(/^sha256:/, '');
  return /^[0-9a-f]{64}$/.test(hex) ? `sha256:${hex}` : null;
}

export function readImageFacts(inspected: JsonObject): ImageFacts | null {
  const digest = typeof inspected['Id'] === 'string' ? normaliseDigest(inspected['Id']) : null;
  if (digest === null) return null;
  const size = inspected['Size'];
  return { digest, sizeBytes: typeof size === 'number' ? size : 0, config: readConfig(inspected) };
}

function readConfig(inspected: JsonObject): ImageConfig {
  const config = objectAt(inspected, 'Config');
  // podman has the check beside the configuration, docker in it.
  const healthcheck = textsAt({ ...objectAt(config, 'Healthcheck'), ...objectAt(inspected, 'Healthcheck') }, 'Test');
  return {
    entrypoint: textsAt(config, 'Entrypoint'),
    cmd: textsAt(config, 'Cmd'),
    env_names: textsAt(config, 'Env')
      .map((pair) => pair.split('=', 1)[0] ?? '')
      .sort(compareCodeUnits),
    user: textAt(config, 'User'),
    workdir: textAt(config, 'WorkingDir'),
    exposed_ports: Object.keys(objectAt(config, 'ExposedPorts')).sort(compareCodeUnits),
    healthcheck: healthcheck.length === 0 ? null : healthcheck,
    stop_signal: textAt(config, 'StopSignal'),
  };
}

function objectAt(of: JsonObject, key: string): JsonObject {
  const found = of[key];
  return found !== undefined && isJsonObject(found) ? found : {};
}

/** An empty text is how engines say that there is none. */
function textAt(of: JsonObject, key: string): string | null {
  const found = of[key];
  return typeof found === 'string' && found !== '' ? found : null;
}

function textsAt(of: JsonObject, key: string): readonly string[] {
  const found: Json | undefined = of[key];
  return Array.isArray(found) ? (found as readonly Json[]).filter((item) => typeof item === 'string') : [];
}
