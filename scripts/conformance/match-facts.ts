/** How an answer is held against the truth of a corpus of facts: the matching that the corpus describes, and nothing kinder. Pure. */

import type { Json } from '../../src/kernel/base/json.ts';

export type CorpusFact = {
  readonly repo: string;
  readonly id: string;
  readonly scope: string;
  readonly truth: Json;
  readonly match: 'equals' | 'set' | 'contains' | 'number' | 'command' | 'absent';
  readonly accept?: readonly Json[];
  readonly note?: string;
  readonly subtle?: boolean;
};

export type Answer = {
  readonly repo: string;
  readonly id: string;
  readonly scope: string;
  readonly state: 'known' | 'none' | 'unknown' | 'not_looked';
  readonly value: Json;
  readonly confidence: 'high' | 'medium' | 'low' | null;
  readonly evidence: readonly string[];
};

export type Verdict = 'right' | 'wrong' | 'missing';

export function judgeFact(fact: CorpusFact, answer: Answer): Verdict {
  const told = answer.state === 'known' ? answer.value : null;
  const silent = answer.state === 'unknown' || answer.state === 'not_looked';
  if (fact.match === 'absent') return isAbsent(fact, told) ? 'right' : 'wrong';
  if (silent) return 'missing';
  const truths = [fact.truth, ...(fact.accept ?? [])];
  return truths.some((truth) => fits(fact, truth, told)) ? 'right' : 'wrong';
}

function isAbsent(fact: CorpusFact, told: Json): boolean {
  if (isEmpty(told)) return true;
  if (fact.truth === null) return (fact.accept ?? []).some((other) => isSame(fact, other, told));
  const forbidden = Array.isArray(fact.truth) ? (fact.truth as readonly Json[]) : [fact.truth];
  const items = itemsOf(told).map((item) => plain(fact.id, item));
  return !forbidden.some((item) => {
    const bad = plain(fact.id, item);
    return items.some((own) => own === bad || (fact.id === 'validation.safe' && own.startsWith(`${bad} `)));
  });
}

function isEmpty(told: Json): boolean {
  return told === null || told === 0 || told === '' || (Array.isArray(told) && told.length === 0);
}

function fits(fact: CorpusFact, truth: Json, told: Json): boolean {
  switch (fact.match) {
    case 'equals':
      return isSame(fact, truth, told);
    case 'set':
      return isSameSet(fact.id, itemsOf(truth), itemsOf(told));
    case 'contains':
      return itemsOf(truth).every((item) => itemsOf(told).some((own) => holds(fact.id, own, item)));
    case 'number':
      return isSameNumber(truth, told);
    case 'command':
      return isSameCommand(fact, truth, told);
    case 'absent':
      return false;
  }
}

/** A command is taken by its `cmd`; one thing stands for a list of one. */
function itemsOf(value: Json): readonly Json[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value as readonly Json[];
  return [value];
}

function textOf(value: Json): string {
  if (isCommand(value)) return (value as unknown as Command).cmd;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}

/** One spelling for what the corpus takes as equal. */
function plain(id: string, value: Json): string {
  const text = textOf(value).trim().toLowerCase();
  switch (id) {
    case 'framework.production': {
      const bare = text.replace(/@[\d^~>=].*$/, '').replace(/^asp\.net core$/, 'aspnetcore');
      return (bare.startsWith('@') ? bare : (bare.split('/').at(-1) ?? bare)).replace(/[\s-]+/g, '-');
    }
    case 'validation.safe':
      return commandText(text);
    case 'licence':
      return text
        .split(/\s+or\s+/)
        .sort()
        .join(' or ');
    case 'docker.final_base':
      return text.replace(/@sha256:[0-9a-f]+$/, '');
    case 'runtime.pin':
      return text.replace(/^(?:go|node|nodejs|python|ruby|java|rust)\s+(?=\S)/, '');
    case 'service.calls':
      return text.replace(/\(https\)/, '(http)').replace(/\(postgres\)/, '(postgresql)');
    default:
      return id.endsWith('.command') || id === 'ci.test_command' ? commandText(text) : text;
  }
}

function isSame(fact: CorpusFact, truth: Json, told: Json): boolean {
  if (fact.id === 'package_manager') {
    const name = (value: Json) =>
      plain(fact.id, typeof value === 'object' && value !== null && 'name' in value ? (value['name'] as Json) : value);
    const wanted = (truth as { readonly version?: Json } | null)?.version;
    const given = (told as { readonly version?: Json } | null)?.version;
    return name(truth) === name(told) && (wanted === undefined || wanted === given);
  }
  if (truth === null || told === null) return truth === told;
  if (fact.match === 'absent' && Array.isArray(truth))
    return isSameSet(fact.id, truth as readonly Json[], itemsOf(told));
  if (isCommand(truth)) return isSameCommand(fact, truth, told);
  return isDeeplySame(fact.id, truth, told);
}

function isDeeplySame(id: string, truth: Json, told: Json): boolean {
  if (Array.isArray(truth)) {
    if (!Array.isArray(told) || truth.length !== told.length) return false;
    if (id === 'ci.matrix') return isSameSet(id, truth as readonly Json[], told as readonly Json[]);
    return truth.every((item, at) => isDeeplySame(id, item as Json, told[at] as Json));
  }
  if (typeof truth === 'object' && truth !== null) {
    if (typeof told !== 'object' || told === null || Array.isArray(told)) return false;
    return Object.entries(truth).every(([key, value]) =>
      isDeeplySame(id, value as Json, ((told as Readonly<Record<string, Json>>)[key] ?? null) as Json),
    );
  }
  if (truth === null || told === null || typeof told === 'object') return truth === told;
  return plain(id, truth) === plain(id, told);
}

function isSameSet(id: string, truth: readonly Json[], told: readonly Json[]): boolean {
  if (id === 'ci.matrix') {
    const left = [...told];
    for (const item of truth) {
      const at = left.findIndex((own) => isDeeplySame(id, item, own));
      if (at < 0) return false;
      left.splice(at, 1);
    }
    return left.length === 0;
  }
  return (
    truth.every((item) => told.some((own) => holds(id, own, item, true))) &&
    told.every((own) => truth.some((item) => holds(id, own, item, true)))
  );
}

/** Is the item of the truth this one of the answer? `whole`: a part of a longer text is not enough. */
function holds(id: string, own: Json, item: Json, whole = false): boolean {
  const told = plain(id, own);
  const truth = plain(id, item);
  if (told === truth) return true;
  switch (id) {
    case 'services': {
      const [name, path] = told.split('@');
      const [wantedName, wantedPath] = truth.split('@');
      if (name !== wantedName) return false;
      if (wantedPath === undefined || path === undefined) return wantedPath === undefined;
      return `${path}/`.startsWith(`${wantedPath}/`) || `${wantedPath}/`.startsWith(`${path}/`);
    }
    case 'generated_code':
      return globToRegex(truth).test(told);
    case 'dynamic_code': {
      const [, path, line] = /^(.*):(\d+)$/.exec(told) ?? [];
      const [, wantedPath, wantedLine] = /^(.*):(\d+)$/.exec(truth) ?? [];
      return path !== undefined && path === wantedPath && Math.abs(Number(line) - Number(wantedLine)) <= 1;
    }
    default: {
      if (whole) return false;
      const words = truth.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      return new RegExp(`(?<![\\w-])${words}(?![\\w-])`).test(told);
    }
  }
}

function globToRegex(glob: string): RegExp {
  const source = glob
    .split(/(\*\*\/?|\*)/)
    .map((part) => (part === '*' ? '[^/]*' : part.startsWith('**') ? '.*' : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`);
}

function isSameNumber(truth: Json, told: Json): boolean {
  if (typeof truth === 'object' && truth !== null && !Array.isArray(truth)) {
    if (typeof told !== 'object' || told === null || Array.isArray(told)) return false;
    return Object.entries(truth).every(([key, value]) =>
      isSameNumber(value as Json, ((told as Readonly<Record<string, Json>>)[key] ?? null) as Json),
    );
  }
  if (Array.isArray(truth))
    return Array.isArray(told) ? isSameSet('', truth as readonly Json[], told) : truth.length === told;
  const count = Array.isArray(told) ? told.length : told === null ? 0 : told;
  return count === truth;
}

type Command = { readonly cmd: string; readonly cwd?: string };

function isCommand(value: Json): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    'cmd' in value &&
    typeof value['cmd'] === 'string'
  );
}

function isSameCommand(fact: CorpusFact, truth: Json, told: Json): boolean {
  const first = Array.isArray(told) ? ((told as readonly Json[])[0] ?? null) : told;
  if (truth === null || first === null) return truth === first;
  const wanted: Command = isCommand(truth)
    ? (truth as unknown as Command)
    : { cmd: String(truth), ...(isCommand(fact.truth) ? { cwd: (fact.truth as unknown as Command).cwd ?? '.' } : {}) };
  const given: Command = isCommand(first) ? (first as unknown as Command) : { cmd: String(first) };
  const bare = withoutChangeOfDirectory(given);
  const want = withoutChangeOfDirectory(wanted);
  const texts = [commandText(given.cmd), commandText(bare.cmd)];
  if (!texts.includes(commandText(wanted.cmd)) && !texts.includes(commandText(want.cmd))) return false;
  return [given.cwd ?? '.', bare.cwd ?? '.'].some((cwd) => cwd === (wanted.cwd ?? '.') || cwd === (want.cwd ?? '.'));
}

/** `cd x && y` is `y` in `x`. */
function withoutChangeOfDirectory({ cmd, cwd = '.' }: Command): Command {
  const below = (dir: string) => (cwd === '.' ? dir : `${cwd}/${dir}`).replace(/\/$/, '');
  const cd = /^cd\s+(\S+)\s*&&\s*(.*)$/s.exec(cmd);
  if (cd !== null) return { cmd: cd[2] ?? '', cwd: below(cd[1] ?? '.') };
  const flag = /\s(?:-C|--prefix|--filter)[ =](\S+)/.exec(cmd);
  return flag === null ? { cmd, cwd } : { cmd: cmd.replace(flag[0], ''), cwd: below(flag[1] ?? '.') };
}

/** `pnpm run x` = `pnpm x`, `yarn run x` = `yarn x`, `npm run test` = `npm test`; but `bun test` is not `bun run test`. */
function commandText(cmd: string): string {
  return cmd
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\b(pnpm|yarn) run /g, '$1 ')
    .replace(/\bnpm run test(?![\w:-])/g, 'npm test');
}
