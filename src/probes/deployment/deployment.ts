/**
 * How a repository is deployed: helm, kustomize, plain manifests, terraform, compose (probes.md, deployment).
 * Nothing is rendered or evaluated: what a template would compute is called `templated`, and the walk never leaves the root.
 */

import { defineProbe } from '../../gather/contract.ts';
import { deploymentFacts } from './deployment-facts.ts';
import {
  deploymentGlobs,
  deploymentMarkers,
  deploymentSection,
  kustomizationGlobs,
  kustomizeResourceGlobs,
} from './deployment-section.ts';

const deploymentManifest = [
  'apiVersion: apps/v1',
  'kind: Deployment',
  'metadata: {name: api}',
  'spec:',
  '  template:',
  '    spec:',
  '      securityContext: {runAsNonRoot: true}',
  '      containers:',
  '        - name: api',
  '          image: registry.example.com/api:1.4.2',
  '          env: [{name: DATABASE_URL, valueFrom: {secretKeyRef: {name: db, key: url}}}, {name: PORT, value: "8080"}]',
  '          ports: [{containerPort: 8080}]',
  '          livenessProbe: {httpGet: {path: /healthz, port: 8080}}',
  '          resources: {limits: {memory: 256Mi, cpu: 1}}',
  '          securityContext: {readOnlyRootFilesystem: true}',
  '',
].join('\n');

export default defineProbe({
  name: 'deployment',
  version: '0.3.0',
  layer: 'A',
  says: 'Charts, manifests, kustomizations, terraform and compose files: images, workloads, probes, limits, ports, environments.',
  heaviness: 'light',
  sections: { deployment: deploymentSection },
  facts: deploymentFacts,
  declaredInputs: deploymentGlobs,
  deriveInputs: async (repo) => kustomizeResourceGlobs(repo.inputs.list(kustomizationGlobs)),
  timeoutSeconds: 15,
  artifacts: ['deployment.json'],
  warningIds: [
    'kustomization.resource_outside_repo',
    'kustomization.depth_cap_exceeded',
    'kustomization.file_cap_exceeded',
    'helm.chart_parse_error',
    'helm.values_file_parse_error',
    'helm.values_filename_unrecognized',
    'helm.no_values_files',
    'helm.templated_values',
    'deployment.manifest_parse_error',
    'deployment.raw_no_workloads',
    'deployment.multi_type',
    'terraform.paths_only',
  ],
  confidenceRule:
    'high without a warning; medium when there is more than one kind of deployment or the image is computed; low for any other warning',
  applies: (repo) => repo.scope.match(deploymentMarkers).length > 0 || 'not_applicable',
  async run(repo) {
    const { gatherDeployment } = await import('./gather-deployment.ts');
    return gatherDeployment(repo);
  },
  examples: [
    {
      shows:
        'a helm chart below deploy/: image and limits from its values, workloads from the static part of its templates',
      files: {
        'deploy/helm/x/Chart.yaml': 'apiVersion: v2\nname: x\nversion: 0.1.10\n',
        'deploy/helm/x/values.yaml':
          'image: {repository: registry.example.com/x, tag: "1.2.3"}\nservice: {port: 80}\nresources: {limits: {memory: 128Mi, cpu: 500m}}\nlivenessProbe: {httpGet: {path: /live, port: http}}\n',
        'deploy/helm/x/values-prod.yaml': 'image: {repository: registry.example.com/x, tag: 9f8e7d6c5b}\n',
        'deploy/helm/x/templates/deployment.yaml': [
          'apiVersion: apps/v1',
          'kind: Deployment',
          'metadata:',
          '  name: {{ include "x.fullname" . }}',
          '  labels:',
          '    {{- include "x.labels" . | nindent 4 }}',
          'spec:',
          '  {{- if not .Values.autoscaling.enabled }}',
          '  replicas: {{ .Values.replicaCount }}',
          '  {{- end }}',
          '  template:',
          '    spec:',
          '      containers:',
          '        - name: x',
          '          image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"',
          '          env: [{name: LOG_LEVEL, value: info}]',
          '          resources:',
          '            {{- toYaml .Values.resources | nindent 12 }}',
        ].join('\n'),
      },
      gives: {
        deployment: {
          type: 'helm',
          types: ['helm'],
          charts: [{ path: 'deploy/helm/x', name: 'x', version: '0.1.10' }],
          chart_path: 'deploy/helm/x',
          image_reference: {
            file: 'deploy/helm/x/values.yaml',
            path: 'image',
            value: 'registry.example.com/x:1.2.3',
            tag_strategy: 'semver',
          },
          environments: [
            {
              name: 'prod',
              file: 'deploy/helm/x/values-prod.yaml',
              image_reference: 'registry.example.com/x:9f8e7d6c5b',
            },
          ],
          workloads: [
            { kind: 'Deployment', name: 'templated', file: 'deploy/helm/x/templates/deployment.yaml', containers: 1 },
          ],
          health_probes: [{ workload: 'x', kind: 'liveness', path: '/live', port: 'http' }],
          resource_limits: [{ workload: 'x', memory: '128Mi', cpu: '500m' }],
          exposed_ports: [80],
          required_env_vars: ['LOG_LEVEL'],
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'plain manifests: workload, probe, limits, effective security settings, ports, variables',
      files: { 'k8s/api.yaml': deploymentManifest },
      gives: {
        deployment: {
          type: 'raw',
          image_reference: {
            file: 'k8s/api.yaml',
            path: 'spec.template.spec.containers[0].image',
            value: 'registry.example.com/api:1.4.2',
            tag_strategy: 'semver',
          },
          workloads: [{ kind: 'Deployment', name: 'api', file: 'k8s/api.yaml', containers: 1 }],
          health_probes: [{ workload: 'api', kind: 'liveness', path: '/healthz', port: 8080 }],
          resource_limits: [{ workload: 'api', memory: '256Mi', cpu: '1' }],
          security_context: { runAsNonRoot: true, readOnlyRootFilesystem: true },
          exposed_ports: [8080],
          required_env_vars: ['DATABASE_URL', 'PORT'],
          kustomization_resource_path_outside_repo: false,
        },
      },
      confidence: 'high',
    },
    {
      shows: 'kustomize: the base is reached through the overlay, the overlay is an environment with its own image',
      files: {
        'infra/base/kustomization.yaml': 'resources: [api.yaml]\n',
        'infra/base/api.yaml': deploymentManifest,
        'infra/overlays/prod/kustomization.yml':
          'resources: [../../base, "https://example.com/crds.yaml"]\nimages: [{name: registry.example.com/api, newTag: "2.0.0"}]\n',
      },
      gives: {
        deployment: {
          type: 'kustomize',
          workloads: [{ kind: 'Deployment', name: 'api', file: 'infra/base/api.yaml', containers: 1 }],
          environments: [
            {
              name: 'prod',
              file: 'infra/overlays/prod/kustomization.yml',
              image_reference: 'registry.example.com/api:2.0.0',
            },
          ],
          kustomization_resource_path_outside_repo: false,
        },
      },
      warnings: [],
      confidence: 'high',
    },
    {
      shows: 'a kustomize resource outside the repository is reported and not read',
      files: {
        'k8s/kustomization.yaml': 'resources: [../../elsewhere/secret.yaml, /etc/passwd, api.yaml]\n',
        'k8s/api.yaml': deploymentManifest,
      },
      gives: {
        deployment: {
          type: 'kustomize',
          kustomization_resource_path_outside_repo: true,
          workloads: [{ kind: 'Deployment', name: 'api', file: 'k8s/api.yaml', containers: 1 }],
        },
      },
      warnings: ['kustomization.resource_outside_repo'],
      confidence: 'low',
    },
    {
      shows: 'compose services that are built for developers, or are given the work tree, deploy nothing',
      files: {
        'docker-compose.yml':
          'services:\n  app: {build: {context: ., dockerfile: ./dev/docker/Dockerfile}}\n  assets: {image: "node:22", volumes: ["./:/app"]}\n  pages: {image: "node:22", volumes: [{type: bind, source: ., target: /app}]}\n',
        'compose.yaml': 'services: {web: {build: {context: ., dockerfile: Dockerfile}, volumes: ["./data:/data"]}}\n',
      },
      gives: { deployment: { types: ['compose'], compose_deploys: ['compose.yaml'] } },
      facts: [{ id: 'deploy.kind', scope: '.', value: ['compose'], evidence: ['compose.yaml:1'] }],
    },
    {
      shows:
        'a compose file of databases, or for tests, deploys nothing; manifests count whatever their directory is called',
      files: {
        'docker-compose.yml': 'services: {db: {image: "postgres:18"}, mail: {image: "axllent/mailpit:v1"}}\n',
        'docker-compose.test.yml': 'services: {app: {build: .}}\n',
        'k8s-specifications/api.yaml': deploymentManifest,
      },
      gives: { deployment: { types: ['compose', 'raw'], compose_deploys: [] } },
      facts: [{ id: 'deploy.kind', scope: '.', value: ['k8s'] }],
      warnings: ['deployment.multi_type'],
    },
    {
      shows: 'compose files by the name of their directory, in a directory of their own, and for podman',
      files: {
        'docker/compose/with-mysql.yaml': 'services: {web: {image: "acme/web:2", ports: ["8082:8082"]}}\n',
        'docker/docker-compose.yml': 'services: {web: {build: {context: .., dockerfile: docker/Dockerfile}}}\n',
        'podman/podman-compose.yml': 'services: {app: {image: "acme/app:2"}, db: {image: "postgres:18"}}\n',
        'smoke-test/docker-compose.yml': 'services: {app: {image: "acme/app:2"}}\n',
      },
      gives: {
        deployment: {
          types: ['compose'],
          compose_deploys: ['docker/compose/with-mysql.yaml', 'docker/docker-compose.yml', 'podman/podman-compose.yml'],
        },
      },
      facts: [{ id: 'deploy.kind', scope: '.', value: ['compose'] }],
      confidence: 'high',
    },
    {
      shows:
        'what tools and platforms read to deploy; a file of that name that says something else, or an example, is none',
      files: {
        'skaffold.yaml': 'apiVersion: skaffold/v4beta1\nkind: Config\nmanifests: {rawYaml: [a.yaml]}\n',
        'src/api/skaffold.yaml': 'apiVersion: skaffold/v4beta1\nkind: Config\nbuild: {}\n',
        'fly.toml': 'app = "x"\n',
        'config/deploy.yml': 'service: shop\nimage: acme/shop\nservers: [a]\n',
        'render.yaml': 'colours: [red]\n',
        'examples/serverless.yml': 'service: x\n',
      },
      gives: {
        deployment: {
          types: [],
          platforms: [
            { kind: 'skaffold', file: 'skaffold.yaml' },
            { kind: 'serverless', file: 'examples/serverless.yml' },
            { kind: 'kamal', file: 'config/deploy.yml' },
            { kind: 'fly', file: 'fly.toml' },
          ],
        },
      },
      facts: [{ id: 'deploy.kind', scope: '.', value: ['fly', 'kamal', 'skaffold'] }],
    },
    {
      shows: 'terraform: paths and literal images only; a compose file beside it is a second kind',
      files: {
        'infra/main.tf': `resource "x" "y" {\n  image = "registry.example.com/y@sha256:${'ab'.repeat(32)}"\n}\n`,
        'docker-compose.yml':
          'services:\n  db: {image: "postgres:17", ports: ["127.0.0.1:5432:5432"], environment: {POSTGRES_DB: x}}\n  web: {build: ., ports: [{target: 3000}], environment: [PORT=3000, TOKEN], healthcheck: {test: curl}}\n',
        'docker-compose.prod.yml': 'services: {web: {image: "web:latest"}}\n',
      },
      gives: {
        deployment: {
          type: 'terraform',
          types: ['compose', 'terraform'],
          terraform_files: ['infra/main.tf'],
          image_reference: {
            file: 'infra/main.tf',
            path: 'line 2',
            value: `registry.example.com/y@sha256:${'ab'.repeat(32)}`,
            tag_strategy: 'digest',
          },
          environments: [{ name: 'prod', file: 'docker-compose.prod.yml', image_reference: 'web:latest' }],
          workloads: [
            { kind: 'service', name: 'db', file: 'docker-compose.yml', containers: 1 },
            { kind: 'service', name: 'web', file: 'docker-compose.prod.yml', containers: 1 },
            { kind: 'service', name: 'web', file: 'docker-compose.yml', containers: 1 },
          ],
          exposed_ports: [3000, 5432],
          required_env_vars: ['PORT', 'POSTGRES_DB', 'TOKEN'],
        },
      },
      warnings: ['deployment.multi_type', 'terraform.paths_only'],
      confidence: 'low',
    },
    {
      shows: 'security settings stand in the values; a template that its actions make is computed',
      files: {
        'chart/Chart.yaml': 'name: a\nversion: 1.0.0\n',
        'chart/values.yaml':
          'podSecurityContext: {runAsNonRoot: true}\nsecurityContext: {readOnlyRootFilesystem: true}\n',
        'chart/templates/made.yaml': '{{- if .Values.on }}\na: [\n{{- end }}\n',
      },
      gives: { deployment: { security_context: { runAsNonRoot: true, readOnlyRootFilesystem: true } } },
      warnings: ['helm.templated_values'],
    },
    {
      shows: 'a template without actions that does not parse',
      files: {
        'chart/Chart.yaml': 'name: a\nversion: 1.0.0\n',
        'chart/values.yaml': 'a: 1\n',
        'chart/templates/broken.yaml': 'a: [\n',
      },
      gives: { deployment: { security_context: null } },
      warnings: ['deployment.manifest_parse_error'],
    },
    {
      shows: 'a chart without values and with a computed image; values that do not parse or are oddly named',
      files: {
        'chart/Chart.yaml': 'name: a\nversion: 1.0.0\n',
        'chart/templates/pod.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{image: "{{ .Values.image }}"}]}\n',
        'other/Chart.yaml': 'name: b\nversion: 1.0.0\n',
        'other/values.yaml': 'image: [unclosed',
        'other/values2.yaml': 'a: 1\n',
      },
      gives: {
        deployment: {
          chart_path: 'chart',
          image_reference: {
            file: 'chart/templates/pod.yaml',
            path: 'spec.containers[0].image',
            value: 'templated',
            tag_strategy: 'templated',
          },
          workloads: [{ kind: 'Pod', name: 'a', file: 'chart/templates/pod.yaml', containers: 1 }],
        },
      },
      warnings: [
        'helm.no_values_files',
        'helm.templated_values',
        'helm.values_file_parse_error',
        'helm.values_filename_unrecognized',
      ],
      confidence: 'low',
    },
    {
      shows: 'manifests without a workload',
      files: { 'manifests/config.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n' },
      gives: { deployment: { type: 'raw', workloads: [], image_reference: null, security_context: null } },
      warnings: ['deployment.raw_no_workloads'],
      confidence: 'low',
    },
    { shows: 'nothing to deploy', files: { 'src/a.ts': 'export {}' }, gives: {}, skipped: 'not_applicable' },
  ],
});
