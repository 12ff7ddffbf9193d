/**
 * HTTP routes that source files register, for frameworks whose registration is one expression: Spring, FastAPI, Flask, Express and
 * its kin, Nest, Go's routers, ASP.NET, Symfony, actix and rocket; Rails, Django and Go's routers have files of their own. By text without comments and docstrings; a file counts only where
 * it names the framework. What is mounted elsewhere, or put together at run time, is a route whose whole path is not known.
 */

import { lineNumberAt } from '../../kernel/tree/positions.ts';
import { readGo } from './go-routes.ts';
import { argumentsAt, type Found, type HttpRoute, joined, verbs, withoutComments } from './route-text.ts';

type Reader = {
  readonly files: RegExp;
  readonly names: RegExp;
  /** Routes that stand in comments: nothing is taken out before they are read. */
  readonly inComments?: true;
  readonly read: (text: string, path: string) => readonly Found[];
};

export function readHttpRoutes(path: string, source: string): readonly HttpRoute[] {
  const reader = readers.find(({ files, names }) => files.test(path) && names.test(source));
  if (reader === undefined) return [];
  const style = reader.files === python ? '#' : '//';
  const text = reader.inComments === true ? source : withoutComments(source, style);
  return reader
    .read(text, path)
    .slice(0, routesPerFile)
    .map(({ at, ...route }) => ({ ...route, line: lineNumberAt(text, at) }));
}

/** More than a person writes by hand. */
const routesPerFile = 2_000;

const python = /\.py$/;
/** Next serves what lies in a folder of this name, and takes the path from where it lies. */
const nextFile = /(?:^|\/)(?:app\/(?:.+\/)?route|pages\/api\/.+)\.[jt]sx?$/;

const readers: readonly Reader[] = [
  { files: /\.(?:java|kt)$/, names: /@(?:Rest)?Controller\b/, read: readSpring },
  { files: /\.(?:java|kt)$/, names: /\bimport\s+(?:jakarta|javax)\.ws\.rs\b/, read: readJaxRs },
  {
    files: python,
    names: /^\s*(?:from|import)\s+(?:fastapi|flask|quart|sanic|starlette|litestar)\b/m,
    read: readPython,
  },
  {
    files: nextFile,
    names:
      /^export\s+(?:default\b|(?:async\s+)?(?:function|const)\s+(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b|\{[^}]*\b(?:GET|POST|PUT|PATCH|DELETE)\b)/m,
    read: readNext,
  },
  { files: /\.ts$/, names: /from\s*['"]@nestjs\/common['"]/, read: readNest },
  {
    files: /\.[cm]?[jt]s$/,
    names: /(?:from|require\()\s*['"](?:express|fastify|@koa\/router|koa-router|hono|polka|restify|elysia)['"]/,
    read: readJavaScript,
  },
  {
    files: /\.go$/,
    names:
      /"(?:net\/http|github\.com\/(?:gorilla\/mux|gin-gonic\/gin|go-chi\/chi(?:\/v\d)?|labstack\/echo(?:\/v\d)?|gofiber\/fiber(?:\/v\d)?|julienschmidt\/httprouter))"/,
    read: readGo,
  },
  { files: /\.cs$/, names: /\.Map(?:Get|Post|Put|Patch|Delete)\s*\(/, read: readMinimalApi },
  { files: /\.cs$/, names: /\[\s*Http(?:Get|Post|Put|Patch|Delete|Head|Options)\b/, read: readControllers },
  { files: /\.php$/, names: /#\[Route\b/, read: (text) => readSymfony(text, /#\[(Route)\b/g) },
  // As it was written before PHP had attributes.
  {
    files: /\.php$/,
    names: /^\s*\*\s*@Route\(/m,
    inComments: true,
    read: (text) => readSymfony(text, /(?<=^\s*\*\s*)@(Route)\b/gm),
  },
  { files: /\.rs$/, names: /\b(?:actix_web|rocket)\b/, read: readRust },
];

/**
 * Frameworks of the catalog that serve HTTP, and whether how they register routes is read. Where one is used and none of its routes was
 * seen, what is offered is not known; "none" would be a guess.
 */
export const webFrameworks: ReadonlyMap<string, boolean> = new Map([
  ...words(
    'spring spring-boot fastapi flask quart sanic starlette litestar nestjs express fastify koa hono polka restify elysia gin echo fiber chi gorilla/mux httprouter symfony actix-web rocket rails next django django-rest-framework quarkus dropwizard jersey',
  ).map((name) => [name, true] as const),
  ['asp.net core', true],
  ...words(
    'nuxt sveltekit remix strapi hapi adonis feathers loopback django-ninja tornado aiohttp bottle falcon pyramid twisted fasthttp beego iris kratos go-zero axum warp tide poem salvo hyper micronaut ktor vert.x javalin sinatra hanami grape roda padrino laravel lumen slim cakephp yii codeigniter laminas api-platform',
  ).map((name) => [name, false] as const),
]);

function words(text: string): readonly string[] {
  return text.split(' ');
}

// Spring: annotations of methods below the prefix of their class.

const mapping = /@(Request|Get|Post|Put|Patch|Delete)Mapping\b/g;

function readSpring(text: string): readonly Found[] {
  // The same annotations describe clients.
  if (/@FeignClient\b|@HttpExchange\b/.test(text)) return [];
  const found: Found[] = [];
  let prefixes: readonly string[] = [''];
  let isPrefixKnown = true;
  for (const match of text.matchAll(mapping)) {
    const start = match.index + match[0].length;
    const args = argumentsAt(text, start);
    const after = text
      .slice(start + args.length, start + args.length + 2_000)
      .replace(/@[\w.]+(?:\s*\([^()]*\))?/g, '');
    const isClass = /\b(?:class|interface|record|object)\b/.test(after.slice(0, after.search(/[{;=]|$/)));
    // Of a pair `name = value` only these two are paths.
    const values = args.replace(/\b(?!value\b|path\b)\w+\s*=\s*(?:\{[^}]*\}|"[^"]*"|[^,)]*)/g, '');
    const paths = literals(values);
    const isKnown = paths.length > 0 || !/[A-Za-z_]/.test(values.replace(/\b(?:value|path)\s*=/g, ''));
    if (isClass) {
      prefixes = paths.length === 0 ? [''] : paths;
      isPrefixKnown = isKnown;
      continue;
    }
    const kind = match[1] ?? '';
    const named = [
      ...args.matchAll(/\bRequestMethod\.(\w+)|(?<=method\s*=\s*[^"]{0,80}\b)(GET|POST|PUT|PATCH|DELETE|HEAD)\b/g),
    ];
    const methods = kind === 'Request' ? named.map(([, one, other]) => one ?? other ?? '') : [kind.toUpperCase()];
    for (const prefix of prefixes) {
      for (const path of paths.length === 0 ? [''] : paths) {
        for (const method of methods.length === 0 ? ['ANY'] : methods)
          found.push({ method, path: joined(prefix, path), at: match.index, whole: isKnown && isPrefixKnown });
      }
    }
  }
  return found;
}

// JAX-RS: annotations of methods, in any order, below the path of their class.

function readJaxRs(text: string): readonly Found[] {
  // The same annotations describe clients.
  if (/@RegisterRestClient\b/.test(text)) return [];
  const bare = withoutArguments(text);
  const blockAt = (at: number): string => {
    const start = Math.max(...[';', '{', '}'].map((sign) => bare.lastIndexOf(sign, at))) + 1;
    const length = bare.slice(at).search(/[;{]/);
    return `${' '.repeat(start)}${bare.slice(start, length < 0 ? undefined : at + length)}`;
  };
  // What a constant names is not known; that there is a route is.
  const pathIn = (block: string): string => {
    const at = block.search(/@Path\b/);
    return at < 0 ? '' : (/^\(\s*(?:value\s*=\s*)?"([^"\n]*)"/.exec(argumentsAt(text, at + '@Path'.length))?.[1] ?? '');
  };
  let prefix = '';
  const found: Found[] = [];
  for (const match of bare.matchAll(/@(Path|GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b/g)) {
    const [, name = ''] = match;
    const block = blockAt(match.index);
    if (/\b(?:class|interface|record|object)\s+\w/.test(block)) prefix = pathIn(block);
    // A path of the application may stand before it.
    else if (name !== 'Path')
      found.push({ method: name, path: joined(prefix, pathIn(block)), at: match.index, whole: false });
  }
  return found;
}

/** What stands in parentheses is blanked, so that braces and semicolons are those of the code. */
function withoutArguments(text: string): string {
  let depth = 0;
  return text.replace(/"(?:[^"\\\n]|\\.)*"|[()]|[^()"]+|"/g, (part) => {
    if (part === '(') depth += 1;
    const isInside = depth > 0;
    if (part === ')') depth = Math.max(0, depth - 1);
    return isInside || part.startsWith('"') ? part.replace(/[^\n]/g, ' ') : part;
  });
}

// Python: decorators of an application or a router.

const decorator = /@(\w+(?:\.\w+)*)\.(get|post|put|patch|delete|head|options|route|api_route|websocket)\b/g;

function readPython(text: string): readonly Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(decorator)) {
    const args = argumentsAt(text, match.index + match[0].length);
    const path = /^\(\s*(?:path\s*=\s*|rule\s*=\s*)?[rf]?["']([^"'\n]*)["']/.exec(args)?.[1];
    const [, owner = '', verb = ''] = match;
    if (path === undefined) continue;
    const made = new RegExp(`(?:^|\\W)${owner.replaceAll('.', '\\.')}\\b[^=\\n]{0,80}=\\s*(?:\\w+\\.)*(\\w+)\\(`).exec(
      text,
    );
    const making = made === null ? '' : argumentsAt(text, made.index + made[0].length - 1);
    const prefix = /\b(?:url_)?prefix\s*=\s*["']([^"'\n]*)["']/.exec(making)?.[1] ?? '';
    const listed = /\bmethods\s*=\s*[[({]([^\])}]*)/.exec(args)?.[1] ?? '';
    const methods = verbs.has(verb) ? [verb] : verb === 'websocket' ? ['websocket'] : literals(listed);
    const method = methods.length === 0 ? 'GET' : methods.map((one) => one.toUpperCase()).join(',');
    const isApplication = /^(?:FastAPI|Flask|Quart|Sanic|Starlette)$/.test(made?.[1] ?? '');
    found.push({ method, path: joined(prefix, path), at: match.index, whole: isApplication });
  }
  return found;
}

// JavaScript: calls on what the framework made, or on a parameter that is called so.

const call =
  /(?<![\w.$])((?:this\.)?[\w$]+)\s*\.\s*(get|post|put|patch|delete|del|all|head|options)\s*\(\s*(['"`])([/*][^'"`\n]*)\3\s*,/g;

const chained = /^[ \t]*\.(get|post|put|patch|delete|del|all|head|options)\(\s*(['"`])(\/[^'"`\n]*)\2\s*,/gm;

function readJavaScript(text: string): readonly Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(call)) {
    const [, owner = '', verb = '', , path = ''] = match;
    const name = owner.replace('this.', '').replaceAll('$', '\\$');
    const made = new RegExp(
      `(?:^|\\W)${name}\\s*(?::[^=\\n]{1,60})?=\\s*(?:await\\s+)?(?:new\\s+)?([\\w.]+)\\s*[(<]`,
    ).exec(text)?.[1];
    const isApplication = made !== undefined && /^(?:express|[fF]astify|Hono|polka|Elysia)$/.test(made);
    const isRouter = made !== undefined && /(?:^|\.)Router$|^KoaRouter$/.test(made);
    if (!isApplication && !isRouter && !/^(?:app|router|fastify|server|api)$/.test(name)) continue;
    // A client of the same name gets addresses; a path with a value in it is not one that is written.
    const isWritten = !path.includes('$' + '{');
    found.push({
      method: verb === 'all' ? 'ANY' : verb === 'del' ? 'DELETE' : verb.toUpperCase(),
      path,
      at: match.index + match[0].lastIndexOf(verb, match[0].indexOf('(')),
      whole: isApplication && isWritten,
    });
  }
  // `.get('/a', …)` below one that names the application, or a new one: the chain goes on.
  const begins = found.map(({ at, whole }) => ({ at, whole }));
  const isMade = /\b(?:new\s+(?:Hono|Elysia)|express|Router|polka)\s*[(<]/.test(text);
  for (const match of text.matchAll(chained)) {
    const [, verb = '', , path = ''] = match;
    const at = match.index + match[0].indexOf(verb);
    const before = begins.findLast((one) => one.at <= at);
    if (before?.at === at || (before === undefined && !isMade)) continue;
    const method = verb === 'all' ? 'ANY' : verb === 'del' ? 'DELETE' : verb.toUpperCase();
    found.push({ method, path, at, whole: before?.whole === true && !path.includes('$' + '{') });
  }
  return found.sort((a, b) => a.at - b.at);
}

// Next: a file is a route. Folders in brackets of either kind group pages and slots and are no part of the path.

function readNext(text: string, file: string): readonly Found[] {
  const [, kind = '', place = ''] = /(?:^|\/)(app|pages)\/((?:.+\/)?[^/]+)\.[jt]sx?$/.exec(file) ?? [];
  const folders = (
    kind === 'app' ? place.split('/').slice(0, -1) : place.replace(/(?:^|\/)index$/, '').split('/')
  ).filter((one) => !/^\(.*\)$|^@/.test(one));
  // What begins so is not served; where the folder is none of Next's, nothing in it is.
  if (folders.some((one) => one.startsWith('_'))) return [];
  const path = joined('', folders.join('/'));
  if (kind === 'pages') {
    const at = text.search(/^export\s+default\b/m);
    return at < 0 ? [] : [{ method: 'ANY', path, at, whole: true }];
  }
  const named = /^export\s+(?:(?:async\s+)?(?:function|const)\s+(\w+)|\{([^}]*)\})/gm;
  return [...text.matchAll(named)].flatMap(({ index, 1: one, 2: list = '' }) =>
    (one === undefined ? list.split(',').map((each) => each.trim().replace(/^.*\bas\s+/, '')) : [one])
      .filter((name) => name === name.toUpperCase() && verbs.has(name.toLowerCase()))
      .map((method) => ({ method, path, at: index, whole: true })),
  );
}

// .NET and Rust.

function readMinimalApi(text: string): readonly Found[] {
  const isNested = /\.MapGroup\s*\(/.test(text);
  return [...text.matchAll(/\b(\w+)\s*\.Map(Get|Post|Put|Patch|Delete)\s*\(\s*"([^"\n]*)"/g)].map((match) => ({
    method: (match[2] ?? '').toUpperCase(),
    path: joined('', match[3] ?? ''),
    at: match.index,
    whole: !isNested && match[1] === 'app',
  }));
}

function readRust(text: string): readonly Found[] {
  return [...text.matchAll(/#\[(get|post|put|patch|delete|head)\(\s*"([^"\n]*)"/g)].map((match) => ({
    method: (match[1] ?? '').toUpperCase(),
    path: match[2] ?? '',
    at: match.index,
    // A scope or a mount may stand before it.
    whole: false,
  }));
}

// Attributes of methods below the prefix of their class; a prefix of the whole application may stand before it.

type Attribute = { readonly at: number; readonly name: string; readonly args: string };

/** Every attribute with the one that its class has, by name; `isOfClass` says which of them stand on a class. */
function withPrefixes(
  text: string,
  pattern: RegExp,
  isOfClass: (one: Attribute, after: string) => boolean,
): readonly { readonly one: Attribute; readonly prefix: Attribute | undefined }[] {
  const found: { readonly one: Attribute; readonly prefix: Attribute | undefined }[] = [];
  let prefix: Attribute | undefined;
  for (const match of text.matchAll(pattern)) {
    const start = match.index + match[0].length;
    const args = argumentsAt(text, start);
    const one = { at: match.index, name: match[1] ?? '', args };
    if (isOfClass(one, text.slice(start + args.length, start + args.length + 2_000))) prefix = one;
    else found.push({ one, prefix });
  }
  return found;
}

/** Nothing but other attributes stands between it and the class. */
function standsOnClass(after: string): boolean {
  return /^[\s\])]*(?:(?:#?\[[^\]]*\]|@\w+(?:\([^)]*\))?|export|default|public|internal|sealed|abstract|partial|static|final|readonly)\s*)*class\b/.test(
    after,
  );
}

function readNest(text: string): readonly Found[] {
  const pattern = /@(Controller|Get|Post|Put|Patch|Delete|Head|Options|All)\b/g;
  return withPrefixes(text, pattern, ({ name }) => name === 'Controller').flatMap(({ one, prefix }) => {
    if (prefix === undefined) return [];
    const [above = ''] = literals(prefix.args.replace(/\b(?!path\b)\w+\s*:\s*(?:\[[^\]]*\]|['"][^'"]*['"])/g, ''));
    const paths = literals(one.args);
    const method = one.name === 'All' ? 'ANY' : one.name.toUpperCase();
    return (paths.length === 0 ? [''] : paths).map((path) => ({
      ...{ method, path: joined(above, path), at: one.at, whole: false },
    }));
  });
}

function readControllers(text: string): readonly Found[] {
  const pattern = /[[,]\s*(Route|Http(?:Get|Post|Put|Patch|Delete|Head|Options))\b/g;
  const isPrefix = (one: Attribute, after: string) => one.name === 'Route' && standsOnClass(after);
  return withPrefixes(text, pattern, isPrefix).flatMap(({ one, prefix }) => {
    if (one.name === 'Route') return [];
    const [, controller = ''] = /\bclass\s+(\w+?)(?:Controller)?\b/.exec(text.slice(prefix?.at ?? 0)) ?? [];
    const above = (literals(prefix?.args ?? '')[0] ?? '').replaceAll('[controller]', controller);
    // Without a name before it, the first argument is the template.
    const path = /^\s*\(\s*(?:template:\s*)?@?"([^"\n]*)"/.exec(one.args)?.[1] ?? '';
    const isRooted = /^~?\//.test(path);
    return [
      {
        method: one.name.slice('Http'.length).toUpperCase(),
        path: isRooted ? joined('', path.replace(/^~/, '')) : joined(above, path),
        at: one.at,
        whole: isRooted || (prefix !== undefined && !/\[\w+\]/.test(above + path)),
      },
    ];
  });
}

/** An annotation stands in the comment of what it is about. */
const endOfComment = /^(?:\s*\n\s*\*(?!\/)[^\n]*)*\s*\*\//;

function readSymfony(text: string, pattern: RegExp): readonly Found[] {
  return withPrefixes(text, pattern, (_, after) => standsOnClass(after.replace(endOfComment, ''))).flatMap(
    ({ one, prefix }) => {
      const pathOf = ({ args }: Attribute) => /^\s*\(\s*(?:path\s*[:=]\s*)?['"]([^'"\n]*)['"]/.exec(args)?.[1] ?? '';
      const said = /\bmethods\s*[:=]\s*(\[[^\]]*\]|\{[^}]*\}|['"]\w+['"]|[\w:\\]+)/.exec(one.args)?.[1] ?? '';
      const methods = [...said.matchAll(/\b(?:METHOD_)?(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\b/g)].map(
        ([, name]) => name ?? '',
      );
      return (methods.length === 0 ? ['ANY'] : methods).map((method) => ({
        ...{ method, path: joined(prefix === undefined ? '' : pathOf(prefix), pathOf(one)), at: one.at, whole: false },
      }));
    },
  );
}

function literals(text: string): readonly string[] {
  return [...text.matchAll(/["']([^"'\n]{0,300})["']/g)].map(([, one]) => one ?? '');
}
