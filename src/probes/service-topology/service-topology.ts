/** Which services there are and which calls which, as compose files, the service catalog and mesh manifests declare it. */

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how compose writes variables

import { defineProbe } from '../../gather/contract.ts';
import { listAt } from '../../kernel/base/json-access.ts';
import { topologyFacts } from './service-topology-facts.ts';
import {
  environmentGlobs,
  projectFileGlobs,
  protoGlobs,
  topologyFileGlobs,
  topologySection,
} from './service-topology-section.ts';

export default defineProbe({
  name: 'service_topology',
  version: '0.5.0',
  layer: 'E',
  says: 'Services and who calls whom by which protocol: compose, Kubernetes, skaffold, Procfiles, .NET Aspire, Backstage catalog, Istio and Linkerd routing.',
  heaviness: 'light',
  sections: { service_topology: topologySection },
  facts: topologyFacts,
  requires: [
    {
      probe: 'service_contracts',
      select: (slice) => listAt(slice['inter_service'], 'consumes', 'environment'),
      optional: true,
    },
  ],
  declaredInputs: [
    'config:service_topology.files',
    ...topologyFileGlobs,
    ...environmentGlobs,
    ...protoGlobs,
    ...projectFileGlobs.map((glob) => `names:${glob}`),
  ],
  configKeys: ['service_topology.files'],
  timeoutSeconds: 30,
  warningIds: ['service_topology.parse_error', 'service_topology.truncated'],
  confidenceRule: 'medium: declared, not observed; low when no file could be read',
  applies: (repo) =>
    repo.config['service_topology.files'].length > 0 ||
    repo.scope.match(topologyFileGlobs).length > 0 ||
    'not_configured',
  async run(repo, ctx) {
    const { gatherTopology } = await import('./gather-service-topology.ts');
    return gatherTopology(repo, ctx);
  },
  examples: [
    {
      shows:
        'a stack of Swarm, a file of podman; a store that a service waits for or is linked to is called in the way that its image says',
      files: {
        'docker-compose.yml':
          'services:\n  vote:\n    build: ./vote\n    depends_on: {redis: {condition: service_healthy}, api: {condition: service_started}}\n  api: {image: api}\n  redis: {image: "redis:alpine"}\n',
        'docker-stack.yml': 'services:\n  vote: {image: x/vote}\n  redis: {image: "redis:alpine"}\n',
        'podman/podman-compose.yml': 'services:\n  vote: {image: x/vote}\n',
        'vote/app.py': '',
      },
      gives: { service_topology: {} },
      facts: [
        { id: 'services', scope: 'docker-stack.yml', value: ['redis', 'vote'] },
        { id: 'services', scope: 'podman/podman-compose.yml', value: ['vote'] },
        {
          id: 'service.calls',
          scope: 'docker-compose.yml',
          value: ['vote -> redis (redis)'],
          evidence: ['docker-compose.yml:4'],
        },
      ],
    },
    {
      shows:
        'the host of .NET Aspire: projects by the names of their files, stores by the call that adds them, and who is given whose address',
      files: {
        'src/Host/Program.cs': [
          'var builder = DistributedApplication.CreateBuilder(args);',
          'var cache = builder.AddRedis("cache");',
          'var db = builder.AddPostgres("pg").WithLifetime(ContainerLifetime.Persistent);',
          'var orders = db.AddDatabase("orders");',
          'var basket = builder.AddProject<Projects.Basket_API>("basket-api")',
          '    .WithReference(cache);',
          'var catalog = builder.AddProject<Projects.Catalog>("catalog").WithReference(orders);',
          '// builder.AddProject<Projects.Old>("old").WithReference(basket);',
          'builder.AddProject<Projects.Web>("web")',
          '    .WithReference(basket).WithReference(catalog).WaitFor(catalog);',
          'builder.Build().Run();',
        ].join('\n'),
        'src/Basket.API/Basket.API.csproj': '<Project/>',
        'src/Basket.API/Proto/basket.proto': 'service Basket { rpc A (B) returns (C); }\n',
        'src/Basket.API/Program.cs': 'var builder = WebApplication.CreateBuilder(args);\n',
        'src/Catalog/Catalog.csproj': '<Project/>',
        'src/Web/Web.csproj': '<Project/>',
      },
      gives: { service_topology: {} },
      facts: [
        {
          id: 'services',
          scope: '.',
          value: ['basket-api@src/Basket.API', 'catalog@src/Catalog', 'web@src/Web'],
          evidence: ['src/Host/Program.cs:5', 'src/Host/Program.cs:7', 'src/Host/Program.cs:9'],
        },
        {
          id: 'service.calls',
          scope: 'src/Host/Program.cs',
          value: [
            'basket-api -> cache (redis)',
            'catalog -> orders (postgresql)',
            'web -> basket-api (grpc)',
            'web -> catalog (http)',
          ],
          confidence: 'medium',
        },
      ],
    },
    {
      shows:
        'compose: depends_on, links, and addresses of siblings in the environment; an override belongs to its project',
      files: {
        'docker-compose.yml':
          'services:\n  web:\n    build: .\n    depends_on: {api: {condition: service_healthy}}\n    environment: [API_URL=http://api:3000/v1, "BROKERS=queue:9092,other:9092"]\n  api:\n    image: api\n    links: ["db:database"]\n    environment: {DATABASE_URL: "postgres://app:secret-pw-1@pg.internal:5432/x", SELF: "http://api:3000"}\n  db: {image: "postgres:17", networks: {back: {aliases: [pg.internal]}}}\n',
        'docker-compose.override.yml': 'services: {web: {depends_on: [queue]}, queue: {image: kafka}}\n',
      },
      gives: {
        service_topology: {
          services: [
            { name: 'api', source: 'docker-compose.yml', kind: 'compose_service' },
            { name: 'db', source: 'docker-compose.yml', kind: 'compose_service' },
            { name: 'queue', source: 'docker-compose.override.yml', kind: 'compose_service' },
            { name: 'web', source: 'docker-compose.override.yml', kind: 'compose_service' },
            { name: 'web', source: 'docker-compose.yml', kind: 'compose_service', dir: '.' },
          ],
          edges: [
            edge('api', 'db', 'compose_link', 'docker-compose.yml#services.api.links'),
            edge('api', 'db', 'env_url', 'docker-compose.yml#services.api.environment.DATABASE_URL'),
            edge('web', 'api', 'dependsOn', 'docker-compose.yml#services.web.depends_on'),
            edge('web', 'api', 'env_url', 'docker-compose.yml#services.web.environment.API_URL'),
            edge('web', 'queue', 'dependsOn', 'docker-compose.override.yml#services.web.depends_on'),
            edge('web', 'queue', 'env_url', 'docker-compose.yml#services.web.environment.BROKERS'),
          ],
        },
      },
      warnings: [],
      confidence: 'medium',
    },
    {
      shows:
        'variables of `.env` are filled in; an address without a scheme is spoken to over gRPC where a contract has the service’s name',
      files: {
        'compose.yaml':
          'services:\n  checkout:\n    build: {context: ., dockerfile: "${CHECKOUT_FILE}"}\n    environment:\n      - CART_ADDR\n      - MAIL_ADDR=${MAIL_ADDR}\n      - STOCK_ADDR=${STOCK_ADDR:-stock:8080}\n  cart: {image: cart}\n  mail: {image: mail}\n  stock: {image: stock}\n',
        '.env':
          'CART_PORT=7070\n# where\nCART_ADDR=cart:${CART_PORT}\nMAIL_ADDR="http://mail:6060"\nCHECKOUT_FILE=./src/checkout/Dockerfile\n',
        'pb/shop.proto': 'syntax = "proto3";\nservice CartService {\n  rpc Get (A) returns (B);\n}\n',
      },
      gives: {},
      facts: [
        {
          id: 'service.calls',
          scope: 'compose.yaml',
          value: ['checkout -> cart (grpc)', 'checkout -> mail (http)', 'checkout -> stock (http)'],
        },
        { id: 'services', scope: '.', value: ['checkout@src/checkout'] },
      ],
    },
    {
      shows: 'the service catalog: what a component depends on, which APIs it consumes, what depends on it',
      files: {
        'catalog-info.yaml':
          'apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: {name: cart}\nspec:\n  dependsOn: [resource:default/cart-db, component:stock]\n  consumesApis: [pricing]\n  dependencyOf: [component:checkout]\n---\napiVersion: backstage.io/v1alpha1\nkind: Resource\nmetadata: {name: cart-db}\nspec: {type: database}\n---\napiVersion: backstage.io/v1alpha1\nkind: Location\nmetadata: {name: elsewhere}\n',
      },
      gives: {
        service_topology: {
          services: [
            { name: 'cart', source: 'catalog-info.yaml', kind: 'component' },
            { name: 'cart-db', source: 'catalog-info.yaml', kind: 'resource' },
          ],
          edges: [
            edge('cart', 'cart-db', 'dependsOn', 'catalog-info.yaml#cart.spec.dependsOn'),
            edge('cart', 'pricing', 'dependsOn', 'catalog-info.yaml#cart.spec.consumesApis'),
            edge('cart', 'stock', 'dependsOn', 'catalog-info.yaml#cart.spec.dependsOn'),
            edge('checkout', 'cart', 'dependsOn', 'catalog-info.yaml#cart.spec.dependencyOf'),
          ],
        },
      },
      confidence: 'medium',
    },
    {
      shows: 'mesh manifests: routes of Istio and Linkerd, also inside a helm template',
      files: {
        'k8s/reviews.yaml':
          'apiVersion: networking.istio.io/v1\nkind: VirtualService\nmetadata: {name: shop}\nspec:\n  hosts: [shop.example.com]\n  http:\n    - route: [{destination: {host: frontend.shop.svc.cluster.local, subset: v1}}, {destination: {host: frontend-next}}]\n      mirror: {host: shadow}\n',
        'charts/x/templates/profile.yaml':
          'apiVersion: linkerd.io/v1alpha2\nkind: ServiceProfile\nmetadata:\n  name: books.default.svc.cluster.local\n  {{- include "x.labels" . | nindent 2 }}\nspec:\n  dstOverrides: [{authority: "books-v2.default.svc.cluster.local:7000", weight: 100m}]\n',
        'k8s/config.yaml': 'kind: ConfigMap\ndata: {a: [\n',
      },
      gives: {
        service_topology: {
          services: [
            { name: 'books', source: 'charts/x/templates/profile.yaml', kind: 'service_profile' },
            { name: 'shop', source: 'k8s/reviews.yaml', kind: 'virtual_service' },
          ],
          edges: [
            edge(
              'books',
              'books-v2',
              'virtual_service',
              'charts/x/templates/profile.yaml#ServiceProfile/books.default.svc.cluster.local.dstOverrides',
            ),
            edge('shop.example.com', 'frontend', 'virtual_service', 'k8s/reviews.yaml#VirtualService/shop.route'),
            edge('shop.example.com', 'frontend-next', 'virtual_service', 'k8s/reviews.yaml#VirtualService/shop.route'),
            edge('shop.example.com', 'shadow', 'virtual_service', 'k8s/reviews.yaml#VirtualService/shop.route'),
          ],
        },
      },
      warnings: [],
      confidence: 'medium',
    },
    {
      shows: 'a list of services that configuration names; a compose file that does not parse',
      files: {
        '.codegenie/config.yaml': 'service_topology:\n  files: [docs/services.yaml]\n',
        'docs/services.yaml': 'services: [{name: a, depends_on: [b]}, b]\n',
        'compose.yaml': 'services: [\n',
      },
      gives: {
        service_topology: {
          services: [
            { name: 'a', source: 'docs/services.yaml', kind: 'declared' },
            { name: 'b', source: 'docs/services.yaml', kind: 'declared' },
          ],
          edges: [edge('a', 'b', 'dependsOn', 'docs/services.yaml#a.depends_on')],
        },
      },
      warnings: ['service_topology.parse_error'],
      confidence: 'medium',
    },
    {
      shows:
        'what is built and what calls what, with the protocol: skaffold, compose, Kubernetes, a service binding, a Procfile',
      files: {
        'skaffold.yaml':
          'apiVersion: skaffold/v3\nbuild:\n  artifacts:\n  - {image: reg.io/acme/front, context: src/front}\n  - {image: cart, context: src/cart/src}\n  - {image: ledger, context: ., jib: {project: src/ledger, type: maven}}\n',
        'kubernetes-manifests/front.yaml':
          'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: front}\nspec:\n  template:\n    spec:\n      containers:\n      - image: front\n        args: [--mail-url=http://mail:8025/send]\n        env:\n        - {name: CART_ADDR, value: "cart:7070"}\n        - {name: OTHER_ADDR, value: "elsewhere:7070"}\n        - {name: MODE, value: cart}\n      volumes:\n      - projected: {sources: [{secret: {name: shop-db}}]}\n',
        'kubernetes-manifests/rest.yaml':
          'apiVersion: v1\nkind: Service\nmetadata: {name: cart}\nspec: {ports: [{name: grpc, port: 7070}]}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: mail}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: shop-db}\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: shop-db}\ntype: servicebinding.io/postgresql\n',
        'compose.yaml':
          'services:\n  api:\n    build: {context: ., dockerfile: backend/Dockerfile}\n    environment:\n      DATABASE_URL: postgresql+psycopg://app:$PW@db:5432/app\n      CACHE_HOST: cache\n  db: {image: "postgres:18"}\n  cache: {image: "docker.io/valkey/valkey:8"}\n',
        'kustomize/without-front.yaml':
          'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: gone}\n$patch: delete\n',
        'ops/compose/with-mysql.yaml':
          'services: {tracker: {image: "tracker", depends_on: [base]}, base: {image: mysql}}\n',
        'Procfile.dev': 'web: bin/rails server\njob: bin/jobs\n',
      },
      gives: {
        service_topology: { services: [{ name: 'api', dir: 'backend' }, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}] },
      },
      facts: [
        {
          id: 'services',
          scope: '.',
          value: ['api@backend', 'cart@src/cart/src', 'front@src/front', 'ledger@src/ledger'],
        },
        {
          id: 'services',
          scope: 'compose.yaml',
          value: ['api', 'cache', 'db'],
          evidence: ['compose.yaml:2', 'compose.yaml:8', 'compose.yaml:7'],
        },
        { id: 'services', scope: 'Procfile.dev', value: ['job', 'web'] },
        { id: 'services', scope: 'ops/compose/with-mysql.yaml', value: ['base', 'tracker'] },
        {
          id: 'service.calls',
          scope: 'kubernetes-manifests/front.yaml',
          value: ['front -> cart (grpc)', 'front -> mail (http)', 'front -> shop-db (postgresql)'],
          confidence: 'medium',
        },
        { id: 'service.calls', scope: 'compose.yaml', value: ['api -> cache (redis)', 'api -> db (postgresql)'] },
      ],
    },
    {
      shows:
        'addresses that the code takes by default, or from a configuration map that a whole pod is given; a variable that is set elsewhere is none of them',
      files: {
        'compose.yaml':
          'services:\n  pay: {build: pay}\n  web: {build: web, environment: [STOCK_URL=http://elsewhere:8080]}\n  cart: {build: cart}\n  stock: {image: x/stock}\n  redis: {image: redis}\n',
        'pay/pay.py':
          "import os\nCART = os.getenv('CART_HOST', 'cart')\nSTORE = os.environ.get('CACHE_URL') or 'redis://redis:6379/0'\nOTHER = os.getenv('BANK_URL', 'https://bank.example.com/')\nget(f'http://{CART}/x')\n",
        'web/server.js': "const stock = process.env.STOCK_URL || 'http://stock:8080';\n",
        'cart/src/Stock.java': '@FeignClient(name = "stock")\ninterface Stock {}\n',
        'cart/src/Bank.java': 'class Bank { String a = "http://bank.example.com/x", b = "http://localhost:1"; }\n',
        'cart/test/run.py': "HOST = os.getenv('STOCK_HOST', 'stock')\n",
        'k8s/all.yaml': [
          'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: addresses}\ndata: {BANK_ADDR: "bank:8080", RATES_ADDR: "rates:8080", QUEUE_ADDR: "amqp://queue:5672"}\n',
          ...['bank', 'rates', 'queue'].map((name) => `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\n`),
          'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: teller}\nspec:\n  template:\n    spec:\n      containers:\n      - image: teller\n        envFrom: [{configMapRef: {name: addresses}}]\n        env: [{name: Q, valueFrom: {configMapKeyRef: {name: addresses, key: QUEUE_ADDR}}}]\n',
        ].join('---\n'),
        'skaffold.yaml': 'apiVersion: skaffold/v3\nbuild: {artifacts: [{image: teller, context: src/teller}]}\n',
        'src/teller/src/main/java/acme/samples/Main.java':
          'class Main {\n  @Value("http://${BANK_ADDR}/x") String bank;\n}\n',
      },
      beside: ['service_contracts'],
      gives: {},
      facts: [
        {
          id: 'service.calls',
          scope: 'compose.yaml',
          value: ['cart -> stock (http)', 'pay -> cart (http)', 'pay -> redis (redis)'],
          evidence: ['cart/src/Stock.java:1', 'pay/pay.py:2', 'pay/pay.py:3'],
          confidence: 'medium',
        },
        {
          id: 'service.calls',
          scope: 'k8s/all.yaml',
          value: ['teller -> bank (http)', 'teller -> queue (amqp)'],
        },
      ],
    },
    {
      shows: 'what an example says of calls is told of it, and not of the repository',
      files: {
        'compose.example.yml':
          'services:\n  web: {image: acme/web, environment: {STORE: "redis://redis:6379/1"}}\n  redis: {image: redis}\n',
      },
      gives: {},
      facts: [
        { id: 'service.calls', scope: 'compose.example.yml', value: ['web -> redis (redis)'] },
        { id: 'service.calls', scope: '.', state: 'unknown' },
      ],
    },
    {
      shows: 'a file for development says from where services of the product are built; its own are none',
      files: {
        'docker-compose.yml': 'services:\n  api: {image: acme/api}\n  db: {image: postgres}\n',
        'docker-compose.dev.yml': 'services:\n  api: {build: api}\n  mailer: {build: mailer}\n',
        'compose.yaml': 'services:\n  shell: {build: {context: ., dockerfile: Dockerfile.dev}}\n',
      },
      gives: {},
      facts: [{ id: 'services', scope: '.', value: ['api@api'], confidence: 'medium' }],
    },
    {
      shows: 'manifests without a mesh declare no topology',
      files: { 'k8s/a.yaml': 'kind: ConfigMap\n' },
      gives: {},
      skipped: 'not_configured',
    },
    { shows: 'nothing declared', files: { 'a.yaml': 'a: 1' }, gives: {}, skipped: 'not_configured' },
  ],
});

function edge(from: string, to: string, via: string, evidence: string) {
  return { from, to, via, evidence };
}
