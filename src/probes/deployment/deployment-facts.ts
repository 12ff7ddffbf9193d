/** How the product is deployed, as a fact. */

import { factsOf, listed, unknown } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { type DeploymentType, deploymentSection } from './deployment-section.ts';

const kinds: Readonly<Record<DeploymentType, readonly string[]>> = {
  helm: ['helm', 'k8s'],
  kustomize: ['kustomize', 'k8s'],
  raw: ['k8s'],
  terraform: ['terraform'],
  compose: ['compose'],
};

export const deploymentFacts = factsOf('deployment', deploymentSection, [
  {
    id: 'deploy.kind',
    says: 'By what the product is deployed: compose, k8s, helm, kustomize, terraform, serverless.',
    of: 'the repository',
    value: z.array(z.string()),
    from: 'charts, kustomizations, Kubernetes manifests, compose files, Terraform',
    noneWithoutSection: true,
    state: ({ types, charts, workloads, terraform_files }) => {
      const files = [
        ...charts.map(({ path }) => (path === '.' ? 'Chart.yaml' : `${path}/Chart.yaml`)),
        ...workloads.map(({ file }) => file),
        ...terraform_files,
      ];
      const evidence = [...new Set(files)].slice(0, 5).map((path) => ({ path, shows: null }));
      const found = [...new Set(types.flatMap((type) => kinds[type]))].sort();
      if (found.length > 0 && evidence.length === 0)
        return [unknown('.', { because: 'incomplete', how: 'manifests that deploy nothing' })];
      return [listed('.', found, { because: 'declared', how: 'files that deploy', evidence })];
    },
  },
]);
