/** How the product is deployed, as a fact. */

import { factsOf, listed, unknown } from '../../gather/facts/fact.ts';
import { z } from '../../kernel/base/schema.ts';
import { placeOf } from '../shared/place-of.ts';
import { type DeploymentType, deploymentSection } from './deployment-section.ts';

const kinds: Readonly<Record<DeploymentType, readonly string[]>> = {
  helm: ['helm', 'k8s'],
  kustomize: ['kustomize', 'k8s'],
  raw: ['k8s'],
  terraform: ['terraform'],
  compose: ['compose'],
};

/** Words of the lines that say what a file is. */
const telling: Readonly<Record<DeploymentType, readonly (string | null)[]>> = {
  helm: ['name:', null],
  kustomize: ['kind:', null],
  raw: ['kind:', null],
  terraform: ['resource', 'module', 'provider', null],
  compose: ['services:', null],
};

export const deploymentFacts = factsOf('deployment', deploymentSection, [
  {
    id: 'deploy.kind',
    says: 'By what the product is deployed: compose, k8s, helm, kustomize, terraform, skaffold, serverless, kamal, fly, render, pulumi, cdk, bicep.',
    of: 'the repository',
    value: z.array(z.string()),
    from: 'charts, kustomizations, Kubernetes manifests, compose files, Terraform, files that tools and platforms read to deploy',
    noneWithoutSection: true,
    state: ({ types, charts, workloads, terraform_files, compose_deploys, platforms }) => {
      const chartFiles = charts.map(({ path }) => (path === '.' ? 'Chart.yaml' : `${path}/Chart.yaml`));
      const manifests = workloads.filter(({ kind }) => kind !== 'service').map(({ file }) => file);
      const filesOf: Readonly<Record<DeploymentType, readonly string[]>> = {
        helm: chartFiles,
        kustomize: manifests,
        raw: manifests,
        terraform: terraform_files,
        compose: compose_deploys,
      };
      const own = types.map((type) => ({ type, files: filesOf[type].filter((path) => placeOf(path) === 'product') }));
      const deploying = own.filter(({ files }) => files.length > 0);
      const others = platforms.filter(({ file }) => placeOf(file) === 'product');
      const found = [
        ...new Set([...deploying.flatMap(({ type }) => kinds[type]), ...others.map(({ kind }) => kind)]),
      ].sort();
      if (found.length === 0 && types.some((type) => type !== 'compose'))
        return [unknown('.', { because: 'incomplete', how: 'manifests that deploy nothing, or examples' })];
      const evidence = [
        ...deploying.flatMap(({ type, files }) => files.slice(0, 3).map((path) => ({ path, shows: telling[type] }))),
        ...others.map(({ file }) => ({ path: file, shows: null })),
      ];
      // A compose file that starts the product may be there to try it out; nothing in it says so.
      const isComposeAlone = found.length === 1 && found[0] === 'compose';
      const how = isComposeAlone
        ? 'a compose file that starts the product, perhaps only to try it out'
        : 'files that deploy; those for development, by their names, aside';
      return [
        listed('.', found, {
          because: isComposeAlone ? 'resembles' : found.length === 0 ? 'looked' : 'follows',
          how,
          evidence,
        }),
      ];
    },
  },
]);
