/** By which protocol a service is spoken to: its address says it, else the port's name, else what the service is, else the port's number. */

const schemes: Readonly<Record<string, string>> = {
  http: 'http',
  https: 'http',
  ws: 'websocket',
  wss: 'websocket',
  grpc: 'grpc',
  postgres: 'postgresql',
  postgresql: 'postgresql',
  mysql: 'mysql',
  mariadb: 'mysql',
  redis: 'redis',
  rediss: 'redis',
  valkey: 'redis',
  mongodb: 'mongodb',
  mongo: 'mongodb',
  amqp: 'amqp',
  amqps: 'amqp',
  rabbitmq: 'amqp',
  kafka: 'kafka',
  nats: 'nats',
  memcached: 'memcached',
  smtp: 'smtp',
  mqtt: 'mqtt',
  elasticsearch: 'http',
};

const ports: Readonly<Record<number, string>> = {
  5432: 'postgresql',
  3306: 'mysql',
  6379: 'redis',
  27017: 'mongodb',
  5672: 'amqp',
  9092: 'kafka',
  4222: 'nats',
  11211: 'memcached',
  80: 'http',
  443: 'http',
  8080: 'http',
  50051: 'grpc',
};

/** `postgresql+psycopg`, `jdbc:mysql` and `http2` are what they begin with. Null for a scheme that says nothing (`tcp`). */
export function protocolOfScheme(scheme: string): string | null {
  const [first = ''] = scheme.toLowerCase().split(/[+-]/);
  return Object.hasOwn(schemes, first) ? (schemes[first] ?? null) : /^http/.test(first) ? 'http' : null;
}

/** `docker.io/library/postgres:18` is a database whatever its service is called. */
export function protocolOfImage(image: string): string | null {
  const name = (image.split('@')[0] ?? '').split('/').at(-1)?.split(':')[0] ?? '';
  const [first = ''] = name.toLowerCase().split(/[-_]/);
  return Object.hasOwn(schemes, first) ? (schemes[first] ?? null) : null;
}

export function protocolOfPort(port: number | null): string | null {
  return port !== null && Object.hasOwn(ports, port) ? (ports[port] ?? null) : null;
}
