/** Counters of a daemon in Prometheus' text form. */

export type Metrics = {
  count(name: keyof typeof counters, labels?: Readonly<Record<string, string>>): void;
  /** One request that has ended. */
  observe(route: string, status: number, seconds: number): void;
  render(gauges: Readonly<Record<keyof typeof gaugesHelp, number>>): string;
};

const counters = {
  codegenie_http_requests_total: 'Requests by route and status',
  codegenie_reconciles_total: 'Reconciles that changed the index',
  codegenie_jobs_total: 'Indexer runs by how they ended',
  codegenie_failures_total: 'Updates of the index that failed',
} as const;

const gaugesHelp = {
  codegenie_uptime_seconds: 'Since the daemon started',
  codegenie_resident_memory_bytes: 'Memory of the process',
  codegenie_clients: 'Requests and streams that are open',
  codegenie_generation: 'Generation of the index',
  codegenie_watch_ok: '1 while the watcher works',
} as const;

const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const histogram = 'codegenie_http_request_seconds';

export function createMetrics(): Metrics {
  const counts = new Map<string, Map<string, number>>();
  const durations = new Map<string, { readonly buckets: number[]; sum: number; count: number }>();
  const count: Metrics['count'] = (name, labels = {}) => {
    const of = counts.get(name) ?? new Map<string, number>();
    const key = renderLabels(labels);
    of.set(key, (of.get(key) ?? 0) + 1);
    counts.set(name, of);
  };
  return {
    count,
    observe(route, status, seconds) {
      count('codegenie_http_requests_total', { route, status: String(status) });
      const of = durations.get(route) ?? { buckets: bounds.map(() => 0), sum: 0, count: 0 };
      for (const [at, bound] of bounds.entries()) if (seconds <= bound) of.buckets[at] = (of.buckets[at] ?? 0) + 1;
      of.sum += seconds;
      of.count += 1;
      durations.set(route, of);
    },
    render(gauges) {
      const lines: string[] = [];
      for (const [name, says] of Object.entries(counters)) {
        lines.push(`# HELP ${name} ${says}`, `# TYPE ${name} counter`);
        for (const [labels, value] of [...(counts.get(name) ?? [])].sort()) lines.push(`${name}${labels} ${value}`);
      }
      lines.push(`# HELP ${histogram} Time to answer`, `# TYPE ${histogram} histogram`);
      for (const [route, { buckets, sum, count: all }] of [...durations].sort(([a], [b]) => (a < b ? -1 : 1))) {
        for (const [at, bound] of bounds.entries())
          lines.push(`${histogram}_bucket${renderLabels({ route, le: String(bound) })} ${buckets[at]}`);
        lines.push(`${histogram}_bucket${renderLabels({ route, le: '+Inf' })} ${all}`);
        lines.push(`${histogram}_sum${renderLabels({ route })} ${sum}`);
        lines.push(`${histogram}_count${renderLabels({ route })} ${all}`);
      }
      for (const [name, says] of Object.entries(gaugesHelp))
        lines.push(`# HELP ${name} ${says}`, `# TYPE ${name} gauge`, `${name} ${gauges[name as keyof typeof gauges]}`);
      return `${lines.join('\n')}\n`;
    },
  };
}

function renderLabels(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/["\\\n]/g, '\\$&')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
