/**
 * Frameworks by the packages that give them away, and how code that uses them names them. A library that a program merely calls is none:
 * listed are web, RPC, UI, command-line, template, job and mapping frameworks, and runtimes that shape the whole program.
 */

export type Ecosystem = 'node' | 'python' | 'go' | 'rust' | 'java' | 'ruby' | 'php' | 'dotnet';

export type CataloguedFramework = {
  readonly name: string;
  /** Names as the ecosystem compares them; one that ends in `*` is a beginning. On the JVM a word in the coordinate, alias or plugin. */
  readonly packages: readonly string[];
  /** How an import begins; the packages themselves where it is left out. */
  readonly imports?: readonly string[];
  /** Code need not name it: it is loaded by convention, so that declaring it is using it. */
  readonly isImplicit?: true;
};

const same = (names: string): CataloguedFramework[] => names.split(/\s+/).map((name) => ({ name, packages: [name] }));
const one = (name: string, packages: string, imports?: string): CataloguedFramework => ({
  name,
  packages: packages.split(' '),
  ...(imports === undefined ? {} : { imports: imports.split(' ') }),
});
const implicit = (name: string, packages: string): CataloguedFramework => ({
  ...one(name, packages),
  isImplicit: true,
});

export const frameworkCatalog: Readonly<Record<Ecosystem, readonly CataloguedFramework[]>> = {
  node: [
    ...same(
      'express fastify koa react preact vue svelte electron hono elysia socket.io lit restify polka commander yargs typeorm sequelize mongoose react-native expo',
    ),
    ...['next', 'nuxt', 'astro', 'gatsby'].map((name) => implicit(name, name)),
    implicit('sveltekit', '@sveltejs/kit'),
    implicit('ember', 'ember-source'),
    implicit('strapi', '@strapi/strapi'),
    one('nestjs', '@nestjs/core', '@nestjs'),
    one('hapi', '@hapi/hapi'),
    one('angular', '@angular/core', '@angular'),
    one('remix', 'remix @remix-run/node @remix-run/react @remix-run/server-runtime', '@remix-run remix'),
    one('solid', 'solid-js'),
    one('qwik', '@builder.io/qwik @qwik.dev/core'),
    one('adonis', '@adonisjs/core', '@adonisjs'),
    one('apollo-server', '@apollo/server apollo-server apollo-server-express'),
    one('trpc', '@trpc/server'),
    one('feathers', '@feathersjs/feathers', '@feathersjs'),
    one('loopback', '@loopback/core', '@loopback'),
    one('oclif', '@oclif/core'),
    one('prisma', '@prisma/client'),
    one('drizzle', 'drizzle-orm'),
    one('grpc', '@grpc/grpc-js grpc'),
    one('ionic', '@ionic/core @ionic/react @ionic/vue @ionic/angular'),
  ],
  python: [
    ...same(
      'django flask fastapi starlette tornado aiohttp sanic bottle falcon litestar quart pyramid click typer celery sqlmodel sqlalchemy jinja2 werkzeug streamlit gradio dash scrapy twisted locust',
    ),
    one('django-rest-framework', 'djangorestframework', 'rest_framework'),
    one('django-ninja', 'django-ninja', 'ninja'),
    one('grpc', 'grpcio grpcio-health-checking', 'grpc'),
    one('strawberry', 'strawberry-graphql', 'strawberry'),
  ],
  go: [
    one('gin', 'github.com/gin-gonic/gin'),
    one('echo', 'github.com/labstack/echo'),
    one('fiber', 'github.com/gofiber/fiber'),
    one('chi', 'github.com/go-chi/chi'),
    one('gorilla/mux', 'github.com/gorilla/mux'),
    one('httprouter', 'github.com/julienschmidt/httprouter'),
    one('fasthttp', 'github.com/valyala/fasthttp'),
    one('beego', 'github.com/beego/beego github.com/astaxie/beego'),
    one('iris', 'github.com/kataras/iris'),
    one('kratos', 'github.com/go-kratos/kratos'),
    one('go-zero', 'github.com/zeromicro/go-zero'),
    one('go-kit', 'github.com/go-kit/kit'),
    one('grpc', 'google.golang.org/grpc'),
    one('connect', 'connectrpc.com/connect'),
    one('gqlgen', 'github.com/99designs/gqlgen'),
    one('cobra', 'github.com/spf13/cobra'),
    one('urfave/cli', 'github.com/urfave/cli'),
    one('kong', 'github.com/alecthomas/kong'),
    one('bubbletea', 'github.com/charmbracelet/bubbletea'),
    one('gorm', 'gorm.io/gorm'),
    one('ent', 'entgo.io/ent'),
    one('controller-runtime', 'sigs.k8s.io/controller-runtime'),
  ],
  rust: [
    ...same(
      'axum actix-web rocket warp tide poem salvo tokio async-std clap structopt tonic leptos yew dioxus tauri bevy hyper diesel sqlx sea-orm ratatui iced eframe',
    ),
  ],
  java: [
    { ...one('spring-boot', 'spring-boot springframework.boot spring.boot', 'org.springframework'), isImplicit: true },
    one('spring', 'springframework:spring-', 'org.springframework'),
    implicit('thymeleaf', 'thymeleaf'),
    one('quarkus', 'quarkus', 'io.quarkus jakarta'),
    one('micronaut', 'micronaut', 'io.micronaut'),
    one('ktor', 'ktor-server ktor.server', 'io.ktor.server'),
    one('vert.x', 'vertx', 'io.vertx'),
    one('javalin', 'javalin', 'io.javalin'),
    one('dropwizard', 'dropwizard', 'io.dropwizard'),
    one('jersey', 'jersey', 'org.glassfish.jersey'),
    one('hibernate', 'hibernate', 'org.hibernate'),
    one('grpc', 'grpc', 'io.grpc'),
    one('picocli', 'picocli', 'picocli'),
    one('jetpack-compose', 'androidx.compose', 'androidx.compose'),
  ],
  ruby: [
    ...['rails', 'sinatra', 'hanami', 'grape', 'roda', 'padrino', 'sidekiq', 'jekyll'].map((name) =>
      implicit(name, name),
    ),
  ],
  php: [
    implicit('laravel', 'laravel/framework'),
    implicit('lumen', 'laravel/lumen-framework'),
    implicit('symfony', 'symfony/framework-bundle'),
    implicit('slim', 'slim/slim'),
    implicit('cakephp', 'cakephp/cakephp'),
    implicit('yii', 'yiisoft/yii2'),
    implicit('codeigniter', 'codeigniter4/framework'),
    implicit('laminas', 'laminas/laminas-mvc'),
    implicit('livewire', 'livewire/livewire'),
    implicit('filament', 'filament/filament'),
    implicit('api-platform', 'api-platform/core api-platform/symfony'),
    implicit('doctrine', 'doctrine/orm'),
  ],
  dotnet: [
    implicit('asp.net core', 'Microsoft.NET.Sdk.Web Microsoft.AspNetCore.App'),
    implicit('blazor', 'Microsoft.NET.Sdk.BlazorWebAssembly Microsoft.AspNetCore.Components.WebAssembly'),
    implicit('grpc', 'Grpc.AspNetCore Grpc.Net.Client'),
    one('entity framework core', 'Microsoft.EntityFrameworkCore*', 'Microsoft.EntityFrameworkCore'),
    one('orleans', 'Microsoft.Orleans*', 'Orleans'),
    implicit('maui', 'Microsoft.Maui.Controls'),
    one('xamarin', 'Xamarin.Forms', 'Xamarin.Forms'),
    one('uno', 'Uno.WinUI', 'Uno'),
    one('hot chocolate', 'HotChocolate.AspNetCore*', 'HotChocolate'),
    one('masstransit', 'MassTransit*', 'MassTransit'),
    one('avalonia', 'Avalonia', 'Avalonia'),
    one('hangfire', 'Hangfire*', 'Hangfire'),
  ],
};

/** The framework that a declared dependency stands for, and the part of its text that says so. */
export function frameworkOf(
  ecosystem: Ecosystem,
  dependency: string,
): { readonly framework: CataloguedFramework; readonly shows: string } | undefined {
  const given = ecosystem === 'go' ? dependency.replace(/\/v\d+$/, '') : dependency;
  for (const framework of frameworkCatalog[ecosystem]) {
    for (const name of framework.packages) {
      const bare = name.replace(/\*$/, '');
      if (ecosystem === 'java' ? given.includes(name) : given === name) return { framework, shows: name };
      if (bare !== name && given.startsWith(bare)) return { framework, shows: bare };
    }
  }
  return undefined;
}
