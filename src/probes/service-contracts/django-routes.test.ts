import { expect, test } from 'vitest';
import { readDjangoRoutes } from './django-routes.ts';

function read(files: Record<string, string>) {
  const { routes, gaps } = readDjangoRoutes(new Map(Object.entries(files)));
  return { routes: routes.map(({ path }) => path), gaps: gaps.map(({ what }) => what) };
}

const head = 'from django.urls import include, path, re_path\n';

test('paths, expressions and what is included, from the root that the settings name', () => {
  const found = read({
    'site/settings.py': 'ROOT_URLCONF = "site.urls"\n',
    'site/urls.py': `${head}urlpatterns = [
    # path("old", views.old),
    path("", views.home),
    re_path(r"^users/(?P<id>\\d+)/$", views.user),
    path(
        "wide/a",
        views.wide,
        name="wide",
    ),
    path("shop/", include("shop.urls")),
    path("api/", include([path("a", views.a), path("b/<int:id>", views.b, name="b")])),
    path("admin/", admin.site.urls),
    path("x/", include("elsewhere.urls")),
]
urlpatterns += [path("late", Late.as_view())]
`,
    'shop/urls.py': `${head}urlpatterns = [path("carts/<uuid:id>/", views.cart)]\n`,
    'unused/urls.py': `${head}urlpatterns = [path("never", views.never)]\n`,
  });
  expect(found.routes).toEqual([
    '/',
    '/users/<id>/',
    '/wide/a',
    '/shop/carts/<uuid:id>/',
    '/api/a',
    '/api/b/<int:id>',
    '/late',
  ]);
  expect(found.gaps).toEqual(['mount /admin/', 'mount elsewhere.urls']);
});

test('a list that is put into a new one of its name; a prefix that only a setting gives is not there by default', () => {
  const found = read({
    'a/urls.py': `${head}urlpatterns = [path("one", views.one)]
if settings.DEBUG:
    urlpatterns.append(path("debug", views.debug))
urlpatterns = [path("in/", include((urlpatterns, "app")))]
urlpatterns.append(path("two", views.two))
if settings.PREFIX:
    urlpatterns = [path(settings.PREFIX, include(urlpatterns))]
`,
  });
  expect(found.routes).toEqual(['/in/one', '/in/debug', '/two']);
});

test('a router and a path that is put together are gaps', () => {
  const found = read({
    'a/urls.py': `${head}urlpatterns = [path("api/", include(router.urls)), path(base + "x", views.x)]\n`,
  });
  expect(found).toEqual({ routes: [], gaps: ['a router', 'a path that is no literal'] });
});

test('modules that include each other come to an end', () => {
  const found = read({
    's.py': 'ROOT_URLCONF = "a.urls"\n',
    'a/urls.py': `${head}urlpatterns = [path("a/", include("b.urls"))]\n`,
    'b/urls.py': `${head}urlpatterns = [path("b/", include("a.urls")), path("x", views.x)]\n`,
  });
  expect(found.routes.length).toBeLessThan(30);
  expect(found.routes).toContain('/a/x');
});
