import { expect, test } from 'vitest';
import { readHttpRoutes } from './http-routes.ts';

function read(framework: string, body: string) {
  const source = `package x\n\nimport "${framework}"\n\n${body}\n`;
  return readHttpRoutes('x.go', source).map(({ method, path, whole }) => `${method} ${path}${whole ? '' : ' …'}`);
}

test('gin: groups below groups, a chain, a path without a slash, a list of methods', () => {
  const body = `func create() *gin.Engine {
	g := gin.New()
	g.Match([]string{"GET", "HEAD"}, "/health", h)
	g.GET("version", h)
	g.Group("/user").Use(auth).POST("", h)
	client := g.Group("")
	{
		client.Use(auth)
		app := client.Group("/app")
		{
			app.GET("", h)
			app.PUT("/:id", h)
			message := app.Group("/:id/message")
			message.DELETE("", h)
		}
		client.GET("/stream", h)
	}
	return g
}
func register(r *gin.RouterGroup) { r.GET("/below", h) }
func whole(r *gin.Engine) { r.GET("/top", h) }`;
  expect(read('github.com/gin-gonic/gin', body)).toEqual([
    'GET,HEAD /health',
    'GET /version',
    'POST /user',
    'GET /app',
    'PUT /app/:id',
    'DELETE /app/:id/message',
    'GET /stream',
    'GET /below …',
    'GET /top',
  ]);
});

test('chi: routes in functions, groups without a path, a router that is mounted', () => {
  const body = `func main() {
	r := chi.NewRouter()
	r.Get("/", h)
	r.Route("/articles", func(r chi.Router) {
		r.With(paginate).Get("/", h)
		r.Route("/{id}", func(r chi.Router) {
			r.Delete("/", h)
		})
		r.Group(func(r chi.Router) {
			r.Put("/all", h)
		})
	})
	r.Mount("/admin", adminRouter())
}
func adminRouter() http.Handler {
	r := chi.NewRouter()
	r.Get("/accounts", h)
	return r
}
func other() chi.Router {
	r := chi.NewRouter()
	r.Get("/somewhere", h)
	return r
}`;
  expect(read('github.com/go-chi/chi/v5', body)).toEqual([
    'GET /',
    'GET /articles',
    'DELETE /articles/{id}',
    'PUT /articles/all',
    'GET /admin/accounts',
    'GET /somewhere …',
  ]);
});

test('gorilla and echo: subrouters and groups; a prefix that is no literal is not known', () => {
  const mux = `func main() {
	r := mux.NewRouter()
	api := r.PathPrefix("/api").Subrouter()
	api.HandleFunc("/items/{id}", h).Methods("GET", http.MethodPost)
	r.HandleFunc("/", h)
}`;
  expect(read('github.com/gorilla/mux', mux)).toEqual(['GET,POST /api/items/{id}', 'ANY /']);
  const echo = `func main() {
	e := echo.New()
	v1 := e.Group("/v1", auth)
	v1.GET("/a", h)
	own := e.Group(conf.Prefix)
	own.GET("/b", h)
}`;
  expect(read('github.com/labstack/echo/v4', echo)).toEqual(['GET /v1/a', 'GET /b …']);
});
