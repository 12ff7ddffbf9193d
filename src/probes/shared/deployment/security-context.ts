/** The security settings a container ends up with. Only fields Kubernetes knows: other keys are the repository's words, not ours. */

import { isJsonObject, type Json, type JsonObject } from '../../../kernel/base/json.ts';
import { shortLine } from '../json-access.ts';

/** Field → names below it, where it is an object. */
const fields: Readonly<Record<string, readonly string[] | 'plain'>> = {
  runAsUser: 'plain',
  runAsGroup: 'plain',
  runAsNonRoot: 'plain',
  fsGroup: 'plain',
  fsGroupChangePolicy: 'plain',
  supplementalGroups: 'plain',
  allowPrivilegeEscalation: 'plain',
  privileged: 'plain',
  readOnlyRootFilesystem: 'plain',
  procMount: 'plain',
  capabilities: ['add', 'drop'],
  seccompProfile: ['type', 'localhostProfile'],
  appArmorProfile: ['type', 'localhostProfile'],
  seLinuxOptions: ['level', 'role', 'type', 'user'],
};

/** The container's own settings win over the pod's; null when neither says anything. */
export function mergeSecurityContexts(pod: JsonObject, container: JsonObject): JsonObject | null {
  const merged: Record<string, Json> = {};
  for (const [name, below] of Object.entries(fields)) {
    const value = Object.hasOwn(container, name) ? container[name] : Object.hasOwn(pod, name) ? pod[name] : undefined;
    const kept = below === 'plain' ? plain(value) : keepFields(value, below);
    if (kept !== undefined) merged[name] = kept;
  }
  return Object.keys(merged).length === 0 ? null : merged;
}

function keepFields(value: Json | undefined, names: readonly string[]): Json | undefined {
  if (!isJsonObject(value)) return plain(value);
  const kept: Record<string, Json> = {};
  for (const name of names) {
    const inner = Object.hasOwn(value, name) ? plain(value[name]) : undefined;
    if (inner !== undefined) kept[name] = inner;
  }
  return kept;
}

/** Scalars and lists of scalars. */
function plain(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap((item) => plain(item) ?? []);
  if (typeof value === 'string') return shortLine(value, 200);
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}
