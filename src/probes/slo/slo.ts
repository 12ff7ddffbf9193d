/** What the service promises: objectives from OpenSLO and Sloth files and from burn-rate alerts. */

import { defineProbe } from '../../gather/contract.ts';
import { ruleFileGlobs, sloFileGlobs, sloSection } from './slo-section.ts';

export default defineProbe({
  name: 'slo',
  version: '0.1.0',
  layer: 'E',
  says: 'Service level objectives with target, window and indicator, from OpenSLO, Sloth and Prometheus burn-rate alerts.',
  heaviness: 'light',
  sections: { slo: sloSection },
  declaredInputs: ['config:slo.files', ...sloFileGlobs, ...ruleFileGlobs],
  configKeys: ['slo.files'],
  timeoutSeconds: 5,
  warningIds: ['slo.unrecognized_format', 'slo.parse_error', 'slo.truncated'],
  confidenceRule: 'high when every file was read and recognised; medium when some were not; low when none was',
  applies: (repo) =>
    repo.config['slo.files'].length > 0 ||
    repo.scope.match([...sloFileGlobs, ...ruleFileGlobs]).length > 0 ||
    'not_configured',
  async run(repo) {
    const { gatherSlo } = await import('./gather-slo.ts');
    return gatherSlo(repo);
  },
  examples: [
    {
      shows: 'OpenSLO v1 and v1alpha; other kinds of the format hold no objective',
      files: {
        'cart.slo.yaml':
          'apiVersion: openslo/v1\nkind: Service\nmetadata: {name: cart}\nspec: {description: x}\n---\napiVersion: openslo/v1\nkind: SLO\nmetadata: {name: availability}\nspec:\n  service: cart\n  indicator: {metadata: {name: good-requests}, spec: {ratioMetric: {}}}\n  timeWindow: [{duration: 28d, isRolling: true}]\n  objectives: [{target: 0.999}]\n',
        'slo/old.openslo.yml':
          'apiVersion: openslo/v1alpha\nkind: SLO\nmetadata: {name: latency}\nspec:\n  service: cart\n  indicator: {spec: {thresholdMetric: {}}}\n  timeWindows: [{count: 4, unit: Week}]\n  objectives: [{displayName: fast, targetPercent: 95}, {displayName: slow, target: 0.99}]\n',
      },
      gives: {
        slo: {
          objectives: [
            objective('availability', 99.9, '28d', 'good-requests', 'cart.slo.yaml'),
            objective('latency/fast', 95, '4w', 'thresholdMetric', 'slo/old.openslo.yml'),
            objective('latency/slow', 99, '4w', 'thresholdMetric', 'slo/old.openslo.yml'),
          ],
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'Sloth, as its own file and as a manifest, named by configuration',
      files: {
        '.codegenie/config.yaml': 'slo:\n  files: [ops/sloth.yml, ops/cart.yaml]\n',
        'ops/sloth.yml':
          'version: prometheus/v1\nservice: cart\nslos:\n  - name: requests\n    objective: 99.5\n    sli: {events: {error_query: "sum(rate(http_errors[{{.window}}]))", total_query: x}}\n',
        'ops/cart.yaml':
          'apiVersion: sloth.slok.dev/v1\nkind: PrometheusServiceLevel\nspec: {service: cart, slos: [{name: plugin, objective: 99, sli: {plugin: {id: sloth-common/x}}}]}\n',
      },
      gives: {
        slo: {
          objectives: [
            objective('plugin', 99, null, 'sloth-common/x', 'ops/cart.yaml'),
            objective('requests', 99.5, null, 'sum(rate(http_errors[{{.window}}]))', 'ops/sloth.yml'),
          ],
        },
      },
      confidence: 'high',
    },
    {
      shows: 'burn-rate alerts of Prometheus: the threshold says the objective, two alerts are one objective',
      files: {
        'ops/prometheus/slo.yaml':
          'groups:\n  - name: slo\n    rules:\n      - {alert: CartErrorBudgetBurn, expr: "job:errors:ratio_rate1h > (14.4 * 0.001)", labels: {service: cart, slo: availability}}\n      - {alert: CartErrorBudgetBurn, expr: "job:errors:ratio_rate6h > 6 * (1 - 0.999)", labels: {service: cart, slo: availability}}\n      - {alert: DiskFull, expr: disk > 0.9}\n',
        'ops/rules.yaml': 'rules: [1]\n',
      },
      gives: {
        slo: {
          objectives: [
            objective(
              'availability',
              99.9,
              null,
              'job:errors:ratio_rate1h > (14.4 * 0.001)',
              'ops/prometheus/slo.yaml',
            ),
          ],
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'files that say they are objectives and are not',
      files: { 'a.slo.yaml': 'hello: world\n', 'b.slo.yml': 'a: [\n' },
      gives: { slo: { objectives: [] } },
      warnings: ['slo.parse_error', 'slo.unrecognized_format'],
      confidence: 'low',
    },
    {
      shows: 'rules without a burn-rate alert are no objectives',
      files: { 'alerts.yaml': 'groups: [{name: a, rules: [{alert: Down, expr: up == 0}]}]\n' },
      gives: {},
      skipped: 'not_configured',
    },
    { shows: 'nothing declared', files: { 'a.yaml': 'a: 1' }, gives: {}, skipped: 'not_configured' },
  ],
});

function objective(name: string, target: number, window: string | null, indicator: string, path: string) {
  return { service: 'cart', name, target, window, indicator, path };
}
