/** Sloth: its own file (`version: prometheus/v1`) and its Kubernetes form (`PrometheusServiceLevel`). Objectives are in percent. */

import { isJsonObject, type Json } from '../../../kernel/base/json.ts';
import { listAt, member, objectAt, shortLine, textAt } from '../json-access.ts';
import type { Objective, ObjectivesOf } from './objective.ts';

export function readSloth(document: Json): ObjectivesOf {
  const isFile =
    textAt(document, 'version')?.startsWith('prometheus/') === true && Array.isArray(member(document, 'slos'));
  const isManifest =
    textAt(document, 'apiVersion')?.startsWith('sloth.slok.dev/') === true &&
    textAt(document, 'kind') === 'PrometheusServiceLevel';
  if (!isFile && !isManifest) return undefined;
  const body = isFile ? document : objectAt(document, 'spec');
  const service = textAt(body, 'service');
  return listAt(body, 'slos')
    .filter(isJsonObject)
    .map((slo): Objective => {
      const objective = slo['objective'];
      const indicator = indicatorOf(member(slo, 'sli'));
      return {
        service: service === null ? null : shortLine(service, 200),
        name: shortLine(textAt(slo, 'name') ?? 'unnamed', 200),
        target: typeof objective === 'number' ? objective : null,
        window: null,
        indicator: indicator === null ? null : shortLine(indicator, 300),
      };
    });
}

function indicatorOf(sli: Json | undefined): string | null {
  return (
    textAt(sli, 'events', 'error_query') ??
    textAt(sli, 'events', 'errorQuery') ??
    textAt(sli, 'raw', 'error_ratio_query') ??
    textAt(sli, 'raw', 'errorRatioQuery') ??
    textAt(sli, 'plugin', 'id')
  );
}
