// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the cases are programs

import { expect, test } from 'vitest';
import { readRailsRoutes } from './rails-routes.ts';

function drawn(
  source: string,
  { isApi = false, others = {} }: { isApi?: boolean; others?: Record<string, string> } = {},
) {
  const texts: Record<string, string> = {
    'config/routes.rb': `Rails.application.routes.draw do\n${source}\nend\n`,
    ...others,
  };
  const { routes, gaps } = readRailsRoutes({ path: 'config/routes.rb', textOf: (path) => texts[path], isApi });
  return {
    routes: routes.map(({ method, path, whole }) => `${method} ${path}${whole ? '' : ' …'}`),
    places: routes.map(({ file, line }) => `${file}:${line}`),
    gaps: gaps.map(({ line, what }) => `${line} ${what}`),
  };
}

test('verbs in each spelling: paths that lead somewhere, symbols, several methods, conditions, comments', () => {
  const { routes, places, gaps } = drawn(`
  # get "/never"
  root to: "home#index",
    protocol: (ssl ? "https://" : "http://"), # not http://
    as: "root"
  get "/rss" => "home#index", :format => "rss"
  get :about, :terms
  get("/paren", to: "a#b")
  post "/top(/:length)(.:format)" => "home#top", :moderators => true
  match "/both" => "a#b", :via => [:get, :post]
  match "/any", to: "a#b", via: :all
  patch "x/y", to: redirect("/z#{1}"), constraints: {tag: /[^"'#,.\\/]+/} if Rails.env.development?
  delete "a"; put "b"
  get "/#{prefix}/c" => "c#d"
  get dynamic_path => "c#d"`);
  expect(routes).toEqual([
    'GET /',
    'GET /rss',
    'GET /about',
    'GET /terms',
    'GET /paren',
    'POST /top(/:length)',
    'GET /both',
    'POST /both',
    'ANY /any',
    'PATCH /x/y',
    'DELETE /a',
    'PUT /b',
    'GET /#{prefix}/c …',
    'GET / …',
  ]);
  expect(places.slice(0, 2)).toEqual(['config/routes.rb:4', 'config/routes.rb:7']);
  expect(gaps).toEqual([]);
});

test('resources: the actions that are left, members, collections, nesting, names of parameters', () => {
  const { routes } = drawn(`
  resources :stories, except: [:index, :edit, :update] do
    post "upvote"
    get :recent, on: :collection
    member do
      post :flag
    end
    collection do
      get "search"
    end
    resources :categories, only: :index
  end
  resources :hats, :people, only: %i[show]
  resources :origins, param: :slug, path: "o", only: [:destroy] do
    resources :parts, only: [] do
      get :x
    end
  end
  resource :profile, only: [:show, :update] do
    get :card
  end`);
  expect(routes).toEqual([
    'POST /stories',
    'GET /stories/new',
    'GET /stories/:id',
    'DELETE /stories/:id',
    'POST /stories/:story_id/upvote',
    'GET /stories/recent',
    'POST /stories/:id/flag',
    'GET /stories/search',
    'GET /stories/:story_id/categories',
    'GET /hats/:id',
    'GET /people/:id',
    'DELETE /o/:slug',
    'GET /o/:origin_slug/parts/:part_id/x',
    'GET /profile',
    'PATCH /profile',
    'PUT /profile',
    'GET /profile/card',
  ]);
  expect(drawn('resources :a').routes).toHaveLength(8);
  expect(drawn('resources :a', { isApi: true }).routes).toHaveLength(6);
  expect(drawn('resource :a').routes).toHaveLength(7);
});

test('blocks that move routes, and blocks that do not', () => {
  const { routes, gaps } = drawn(`
  namespace :admin do
    get "/" => "home#index"
    constraints(id: /[^\\/]+/) { |r| r.ok? }
    scope "v1", module: "v1" do
      get "a"
    end
  end
  namespace :api, path: "" do
    get "b"
  end
  scope module: :inner do
    constraints lambda { |r| r.ip == "x" } do
      authenticate :user do
        get "c"
      end
    end
  end
  scope "(:locale)", locale: /en|nl/ do
    get "d"
  end
  scope prefix do
    get "e"
  end
  if Rails.env.test?
    get "f"
  else
    get "g"
  end
  concern :votable do
    post :vote, on: :member
  end
  resources :posts, only: [], concerns: :votable
  resources :notes, only: [] do
    concerns :votable
  end`);
  expect(routes).toEqual([
    'GET /admin',
    'GET /admin/v1/a',
    'GET /b',
    'GET /c',
    'GET /(:locale)/d',
    'GET /e …',
    'GET /f',
    'GET /g',
    'POST /posts/:id/vote',
    'POST /notes/:id/vote',
  ]);
  expect(gaps).toEqual([]);
});

test('files that are drawn lie below what draws them; what is not there, or draws itself, is a gap', () => {
  const { routes, places, gaps } = drawn('namespace :admin do\n  draw(:reports)\nend\ndraw :gone\n', {
    others: { 'config/routes/reports.rb': 'get "a"\ndraw :reports\n' },
  });
  expect(routes).toEqual(['GET /admin/a']);
  expect(places).toEqual(['config/routes/reports.rb:1']);
  expect(gaps).toEqual(['2 draw config/routes/reports.rb', '5 draw config/routes/gone.rb']);
});

test('P2 words of plugins, loops, engines and mounts are named, and what they make is not counted', () => {
  const { routes, gaps } = drawn(
    'devise_for :users\nmount Jobs::Engine => "/jobs"\n%w[a b].each do |name|\n  get name\nend\nuse_doorkeeper do\n  skip_controllers :x\nend\nuse Rack::X\nLIMIT = 3\n',
  );
  expect(routes).toEqual(['GET / …']);
  expect(gaps.map((gap) => gap.replace(/^\d+ /, ''))).toEqual([
    'devise_for',
    'mount Jobs::Engine',
    'a computed call',
    'use_doorkeeper',
    'skip_controllers',
  ]);
  const engine = readRailsRoutes({
    path: 'config/routes.rb',
    textOf: () => 'Shop::Engine.routes.draw do\n  get "a"\nend\n',
    isApi: false,
  });
  expect(engine.routes).toMatchObject([{ path: '/a', whole: false }]);
});

test('any text ends', () => {
  for (const source of ['(', '"', 'resources :a do\n'.repeat(5_000), '['.repeat(20_000), 'get /', 'end end end', 'do'])
    expect(() => drawn(source)).not.toThrow();
});
