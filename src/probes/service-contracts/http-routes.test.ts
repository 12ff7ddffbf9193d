// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are programs

import { expect, test } from 'vitest';
import { frameworkCatalog } from '../shared/framework-catalog.ts';
import { readHttpRoutes, webFrameworks } from './http-routes.ts';

const shown = (path: string, source: string): readonly string[] =>
  readHttpRoutes(path, source).map(
    ({ method, path: route, line, whole }) => `${line} ${method} ${route}${whole ? '' : ' …'}`,
  );

test('Spring: the prefix of the class, several paths, no comments, no clients', () => {
  const source = `
@Controller
@RequestMapping("/owners/{id}")
class Pets {
  // @GetMapping("/never")
  @GetMapping("/pets/new")
  String a() { return ""; }
  @RequestMapping(value = { "/a", "/b" }, method = RequestMethod.POST, produces = "text/html")
  String b() { return ""; }
  @PutMapping(path = Paths.X)
  String c() { return ""; }
  @DeleteMapping("/{name:[^)]+}")
  String d() { return ""; }
}
@RestController class Other {
}`;
  expect(shown('Pets.java', source)).toEqual([
    '6 GET /owners/{id}/pets/new',
    '8 POST /owners/{id}/a',
    '8 POST /owners/{id}/b',
    '10 PUT /owners/{id} …',
    '12 DELETE /owners/{id}/{name:[^)]+}',
  ]);
  expect(shown('Client.java', `@FeignClient @RestController interface A { @GetMapping("/x") String x(); }`)).toEqual(
    [],
  );
});

test('JAX-RS: the path of the class, annotations of a method in any order, braces and semicolons of arguments', () => {
  const source = `
import jakarta.ws.rs.GET;
@Path("/feed")
@Tag(name = "Feeds; all {of them}")
public class Feeds {
  private static final String X = "@GET";
  @Path("/get/{id}")
  @GET
  @APIResponse(content = { @Content(mediaType = "a") })
  public Feed get(@PathParam("id") long id) { return null; }
  @POST
  @RolesAllowed({ "a", "b" })
  @Path("mark")
  public void mark() { run(); }
  @DELETE
  void all() {}
  @Path("sub")
  Sub sub() { return new Sub(); }
  @PUT @Path(Paths.X) void computed() {}
}`;
  expect(shown('Feeds.java', source)).toEqual([
    '8 GET /feed/get/{id} …',
    '11 POST /feed/mark …',
    '15 DELETE /feed …',
    '19 PUT /feed …',
  ]);
  expect(shown('Client.java', `${source}\n@RegisterRestClient interface A {}`)).toEqual([]);
  expect(webFrameworks.get('quarkus')).toBe(true);
});

test('Python: routers have a prefix, and are mounted elsewhere; docstrings are no code', () => {
  const source = `from fastapi import APIRouter, FastAPI
app = FastAPI()
router = APIRouter(tags=["x"], prefix="/items")
@router.get("/{id}", response_model=X)
def a(): """
@router.get("/never")
"""
@app.post("/login")
def b(): ...
`;
  expect(shown('a.py', source)).toEqual(['4 GET /items/{id} …', '8 POST /login']);
  expect(
    shown('b.py', `from flask import Flask\napp = Flask(__name__)\n@app.route("/a", methods=["GET", "POST"])\n`),
  ).toEqual(['3 GET,POST /a']);
  expect(shown('c.py', `@app.get("/a")\n`)).toEqual([]);
});

test('JavaScript: what the framework made, no client of the same method', () => {
  const source = `import express from 'express';
const app = express();
const router = express.Router();
/** app.get('/never', x) */
app.get('/a', (a, b) => b.end());
router.post("/b", x);
cache.get('/c', x);
app.get('trust proxy');
app.all(\`/d/\${e}\`, x);
`;
  expect(shown('a.js', source)).toEqual(['5 GET /a', '6 POST /b …', '9 ANY /d/${e} …']);
});

test('Go: routers, patterns with a method, prefixes of variables', () => {
  const source = `import ("net/http"
 "github.com/gorilla/mux")
func f() {
  r.HandleFunc(base+"/cart", h).Methods(http.MethodGet, http.MethodHead)
  r.PathPrefix("/static/").Handler(x)
  http.HandleFunc("POST /pay", h)
  http.Get("http://a/b")
  r.Get("/of-another-router", h)
  r.HandleFunc(s.prefixed("/token"), h).Methods("POST")
  r.PathPrefix(s.prefixed("/echo/")).HandlerFunc(h)
}`;
  expect(shown('a.go', source)).toEqual([
    '4 GET,HEAD /cart …',
    '5 ANY /static/',
    '6 POST /pay',
    '9 POST /token …',
    '10 ANY /echo/ …',
  ]);
});

test('G16 5 000 beginnings of a registration', () => {
  for (const piece of ['@GetMapping(', '@a.get(', 'app.get("/', '.HandleFunc("', '/*', '"""'])
    for (const [path, head] of [
      ['a.java', '@Controller '],
      ['a.py', 'import flask\n'],
      ['a.js', "require('express') "],
      ['a.go', '"net/http" '],
    ] as const) {
      const began = performance.now();
      readHttpRoutes(path, head + piece.repeat(5_000));
      expect(performance.now() - began).toBeLessThan(5_000);
    }
});

test('ASP.NET: attributes of methods below the route of their class, rooted ones, one inherited', () => {
  const source = `
[ApiController]
[Route("api/[controller]")]
[Authorize]
public sealed class ItemsController : ControllerBase
{
    // [HttpGet("never")]
    [HttpGet("{id:int}", Name = "GetItem")]
    public Item Get(int id) => default;
    [HttpPost, Authorize]
    public void Post() { }
    [HttpGet("/health")]
    [HttpHead("~/health")]
    public void Health() { }
}`;
  expect(shown('ItemsController.cs', source)).toEqual([
    '8 GET /api/Items/{id:int}',
    '10 POST /api/Items',
    '12 GET /health',
    '13 HEAD /health',
  ]);
  expect(shown('A.cs', 'class A : Base { [HttpDelete("a")] void B() {} }')).toEqual(['1 DELETE /a …']);
});

test('Nest: the path of the controller, no path, several', () => {
  const source = `import { Controller, Get, Post } from '@nestjs/common';
@Controller({ path: 'cats', version: '1' })
export class Cats {
  @Get() all() {}
  @Get(['a', 'b']) two() {}
  @Post(':id') one(@Body() body: Cat) {}
}
@Controller()
export class Root { @All('x') x() {} }`;
  expect(shown('cats.controller.ts', source)).toEqual([
    '4 GET /cats …',
    '5 GET /cats/a …',
    '5 GET /cats/b …',
    '6 POST /cats/:id …',
    '9 ANY /x …',
  ]);
});

test('Symfony: attributes of methods below that of the class, several methods', () => {
  const source = `<?php
#[Route('/blog')]
#[IsGranted('ROLE_USER')]
final class BlogController extends AbstractController
{
    #[Route('/', name: 'blog_index', defaults: ['page' => '1'], methods: ['GET', 'POST'])]
    public function index() {}
    #[Route(path: '/search', methods: Request::METHOD_GET)]
    public function search() {}
    #[Route('/any', name: 'any')]
    public function any() {}
}`;
  expect(shown('BlogController.php', source)).toEqual([
    '6 GET /blog …',
    '6 POST /blog …',
    '8 GET /blog/search …',
    '10 ANY /blog/any …',
  ]);
});

test('Symfony: annotations, as they were written before attributes', () => {
  const source = `<?php
/**
 * @Route("/api")
 */
class RatingsController
{
    /**
     * Puts a rating.
     * @Route(path="/rate/{sku}/{score}", methods={"PUT"})
     */
    public function put() {}

    /**
     * @Route("/fetch/{sku}", methods={"GET", "HEAD"})
     * @see Route("/no")
     */
    public function get() {}
}`;
  expect(shown('RatingsController.php', source)).toEqual([
    '9 PUT /api/rate/{sku}/{score} …',
    '14 GET /api/fetch/{sku} …',
    '14 HEAD /api/fetch/{sku} …',
  ]);
});

test('Next: the path is where the file lies, without groups and slots; the methods are what it exports', () => {
  const route = `export async function GET() {}\nconst handle = () => {};\nexport { handle as POST, other };\nexport const dynamic = 1;`;
  expect(shown('src/app/api/websites/[id]/route.ts', route)).toEqual([
    '1 GET /api/websites/[id]',
    '3 POST /api/websites/[id]',
  ]);
  expect(shown('app/(collect)/p/@slot/[slug]/route.js', 'export const DELETE = f;')).toEqual(['1 DELETE /p/[slug]']);
  expect(shown('web/pages/api/users/index.ts', 'export default function handler(req, res) {}')).toEqual([
    '1 ANY /api/users',
  ]);
  expect(shown('app/_lib/route.ts', route)).toEqual([]);
  expect(shown('src/route.ts', route)).toEqual([]);
  expect(shown('src/app/page.ts', route)).toEqual([]);
  expect(shown('pages/api/helper.ts', 'export const GET_ALL = 1;')).toEqual([]);
});

test('every framework that is said to serve HTTP is one of the catalog', () => {
  const catalogued = new Set(
    Object.values(frameworkCatalog)
      .flat()
      .map(({ name }) => name),
  );
  expect([...webFrameworks.keys()].filter((name) => !catalogued.has(name))).toEqual([]);
});
