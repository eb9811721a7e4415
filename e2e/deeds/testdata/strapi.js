// The site of a museum, with articles, exhibitions, bookings and staff, before Strapi. The argument is seed or serve.
const fs = require("fs");
const path = require("path");
const { execFileSync } = require("child_process");

const { APP, STATE, PORT } = process.env;
const modules = `${APP}/npm/node_modules`;
const at = (name) => require(`${modules}/${name}`);
const text = { type: "string" };
const required = { type: "string", required: true };
const among = (...words) => ({ type: "enumeration", enum: words });
const oneOf = (name) => ({ type: "relation", relation: "manyToOne", target: `api::${name}.${name}` });
const perLocale = { i18n: { localized: true } };
const local = (attribute) => ({ ...attribute, pluginOptions: perLocale });

// The kinds of content; those with drafts are read by nobody until they are published.
const kinds = [
  { name: "article", plural: "articles", drafts: true, pluginOptions: perLocale, attributes: {
    title: local(required), summary: local(text), body: local({ type: "richtext" }), pinned: { type: "boolean" },
    cover: { type: "media", multiple: false, allowedTypes: ["images"] }, topic: oneOf("topic") } },
  { name: "exhibition", plural: "exhibitions", drafts: true, attributes: {
    name: required, room: among("North hall", "South hall", "Attic"), opens: { type: "date" }, price: { type: "decimal" }, about: { type: "text" } } },
  { name: "booking", plural: "bookings", attributes: {
    visitor: required, email: { type: "email" }, tickets: { type: "integer" }, progress: among("Requested", "Confirmed", "Cancelled"),
    note: { type: "text" }, exhibition: oneOf("exhibition") } },
  { name: "topic", plural: "topics", attributes: { name: required } },
  { name: "homepage", plural: "homepages", kind: "singleType", drafts: true, attributes: {
    headline: text, notice: { type: "text" }, hours: { type: "component", repeatable: true, component: "site.hours" } } },
];

/** Writes the files of the site; what it tells the outside goes into the folder outbox. */
function write() {
  const put = (name, what) => {
    fs.mkdirSync(path.dirname(name), { recursive: true });
    fs.writeFileSync(name, what);
  };
  const json = (name, what) => put(name, JSON.stringify(what));
  const config = (name, what) => put(`config/${name}.js`, `module.exports = ${JSON.stringify(what)}`);
  json("package.json", { name: "museum", version: "1.0.0", dependencies: require(`${APP}/npm/package.json`).dependencies, strapi: { uuid: false } });
  put("config/server.js", 'module.exports = ({ env }) => ({ host: "127.0.0.1", port: env.int("PORT"), app: { keys: ["a", "b"] }, logger: { updates: { enabled: false } } })');
  put("config/database.js", 'module.exports = ({ env }) => ({ connection: { client: "sqlite", connection: { filename: `${env("STATE")}/museum.db` }, useNullAsDefault: true } })');
  config("admin", { auth: { secret: "one" }, apiToken: { salt: "two" }, transfer: { token: { salt: "three" } }, secrets: { encryptionKey: "four-four-four-four-four-four-44" },
    flags: { nps: false, promoteEE: false }, tutorials: false });
  config("api", {});
  config("middlewares", ["logger", "errors", "security", "cors", "poweredBy", "query", "body", "session", "favicon", "public"].map((m) => `strapi::${m}`));
  put("config/plugins.js", `module.exports = ({ env }) => ({
    "users-permissions": { config: { jwtSecret: "five" } },
    email: { config: { provider: env("STATE") + "/mail.js", settings: { defaultFrom: "museum@example.com", defaultReplyTo: "museum@example.com" } } },
  })`);
  const out = 'const out = (what) => require("fs").appendFileSync(process.env.STATE + "/outbox/sent", JSON.stringify(what) + "\\n");\n';
  put("mail.js", `${out}module.exports = { init: () => ({ send: async ({ to, subject }) => out({ to, subject }) }) }`);
  put("src/index.js", `${out}globalThis.fetch = async (to, { body } = {}) => { out({ to, body }); return new Response("{}"); };\nmodule.exports = {}`);
  json("src/components/site/hours.json", { collectionName: "components_site_hours", info: { displayName: "Hours" }, options: {}, attributes: { day: text, time: text } });
  for (const { name, plural, kind = "collectionType", drafts = false, attributes, pluginOptions = {} } of kinds) {
    const displayName = name[0].toUpperCase() + name.slice(1);
    json(`src/api/${name}/content-types/${name}/schema.json`, { kind, collectionName: plural, info: { singularName: name, pluralName: plural, displayName },
      options: { draftAndPublish: drafts }, pluginOptions, attributes });
    for (const part of ["Controller", "Router", "Service"]) {
      const folder = part === "Router" ? "routes" : part.toLowerCase() + "s";
      put(`src/api/${name}/${folder}/${name}.js`, `module.exports = require("@strapi/strapi").factories.createCore${part}("api::${name}.${name}")`);
    }
  }
  for (const folder of ["public/uploads", "outbox", "src/extensions", "database/migrations"]) fs.mkdirSync(folder, { recursive: true });
  put("public/robots.txt", "");
  fs.symlinkSync(modules, "node_modules");
}

/** Makes what packages make only when scripts run at their installation, and the pages; once. */
function build() {
  if (!fs.existsSync(`${modules}/better-sqlite3/build/Release/better_sqlite3.node`)) {
    const root = path.dirname(path.dirname(process.execPath));
    const headers = fs.existsSync(`${root}/include/node/node_api.h`) ? { npm_config_nodedir: root } : {};
    execFileSync("npm", ["rebuild", "--silent", "--prefix", `${APP}/npm`, "better-sqlite3"], { env: { ...process.env, ...headers } });
  }
  const pages = `${APP}/pages`;
  if (!fs.existsSync(pages)) {
    execFileSync(process.execPath, [`${modules}/@strapi/strapi/bin/strapi.js`, "build"], { env: { ...process.env, NODE_ENV: "production" } });
    fs.cpSync("build", `${pages}.${process.pid}`, { recursive: true });
    fs.rmSync("build", { recursive: true });
    fs.renameSync(`${pages}.${process.pid}`, pages);
    fs.rmSync("museum.db", { force: true });
  }
  fs.symlinkSync(pages, "build");
}

const site = () => at("@strapi/strapi").createStrapi({ appDir: STATE, distDir: STATE });

async function seed() {
  write();
  build();
  const strapi = await site().load();
  await fill(strapi);
  await strapi.destroy();
  rename();
  fs.rmSync("outbox/sent", { force: true });
}

async function fill(strapi) {
  const locales = strapi.plugin("i18n").service("locales");
  await locales.create({ code: "de", name: "German (de)" });
  await locales.create({ code: "fr", name: "French (fr)" });

  const roles = strapi.service("admin::role");
  await roles.create({ name: "Guides", description: "Those who lead visitors" });
  const byName = Object.fromEntries((await roles.find()).map((r) => [r.name, r.id]));
  const staff = (firstname, role, more) => {
    const email = `${firstname.split(" ")[0].toLowerCase()}@example.com`;
    return strapi.service("admin::user").create({ firstname: firstname.split(" ")[0], lastname: firstname.split(" ")[1], email, roles: [byName[role]], ...more });
  };
  const active = { isActive: true, registrationToken: null };
  await staff("Anna Berg", "Super Admin", { password: "Secret-9-word", ...active });
  await staff("Bob Stone", "Editor", { password: "Another-9-word", ...active });
  await staff("Eve Hill", "Author", { password: "Another-9-word", ...active });
  await staff("Lee Park", "Super Admin", { password: "Another-9-word", ...active });
  await staff("Kim Ross", "Author", { isActive: false, registrationToken: "not-answered-yet" });

  const picture = async (name, background, folder) => {
    const file = `${STATE}/${name}.png`;
    await at("sharp")({ create: { width: 640, height: 400, channels: 3, background } }).png().toFile(file);
    const [made] = await strapi.plugin("upload").service("upload").upload({
      data: { fileInfo: { name: `${name}.png`, alternativeText: name, folder } },
      files: { filepath: file, originalFilename: `${name}.png`, mimetype: "image/png", size: fs.statSync(file).size } });
    fs.rmSync(file);
    return made.id;
  };
  const { id: press } = await strapi.plugin("upload").service("folder").create({ name: "Press", parent: null });
  const [whale, harbour] = [await picture("Whale", "#246", null), await picture("Harbour", "#8ac", null)];
  await picture("Director", "#a86", press);

  const add = (name, data, more) => strapi.documents(`api::${name}.${name}`).create({ data, ...more });
  const live = { status: "published" };
  const [sea, town] = [await add("topic", { name: "Sea" }), await add("topic", { name: "Town" })];
  await add("topic", { name: "Unused" });
  const article = async (title, summary, data, more) => add("article", { title, summary, body: `${summary}.\n\nMore soon.`, ...data }, { locale: "en", ...more });
  const whales = await article("Whales in the bay", "What swims here in winter", { topic: sea.documentId, cover: whale, pinned: true }, live);
  await article("The old harbour", "How the town grew", { topic: town.documentId, cover: harbour }, live);
  await article("Night at the museum", "Sleep beneath the whale", { topic: sea.documentId });
  await article("Ropes and knots", "A workshop in spring", { topic: town.documentId });
  const store = await article("From the store", "What we found", {}, live);
  for (const [n, year] of [1890, 1900, 1910, 1920, 1930, 1940, 1950].entries()) await article(`The year ${year}`, `Chapter ${n + 1}`, { topic: town.documentId }, live);
  await strapi.documents("api::article.article").update({ documentId: whales.documentId, locale: "de", status: "published", data: { title: "Wale in der Bucht", summary: "Was hier im Winter schwimmt" } });
  await strapi.documents("api::article.article").update({ documentId: store.documentId, locale: "en", data: { title: "From the store, again" } }); // more than is published
  const whaling = await add("exhibition", { name: "Whaling", room: "North hall", opens: "2031-03-01", price: 12, about: "Ships and men" }, live);
  const maps = await add("exhibition", { name: "Maps of the coast", room: "South hall", opens: "2031-05-10", price: 8, about: "Old maps" }, live);
  await add("exhibition", { name: "Toys", room: "Attic", opens: "2031-11-20", price: 6, about: "For children" });
  const booking = (visitor, tickets, progress, exhibition, note) =>
    add("booking", { visitor, email: `${visitor.split(" ")[0].toLowerCase()}@example.org`, tickets, progress, exhibition: exhibition.documentId, note });
  await booking("Ida Lind", 2, "Requested", whaling, "Wheelchair");
  await booking("Tom Becker", 24, "Confirmed", maps, "School class");
  await booking("Mei Chen", 4, "Requested", whaling, "");
  await booking("Old Mill Inn", 10, "Cancelled", maps, "Paid by invoice");
  await add("homepage", { headline: "The museum by the sea", notice: "Closed on Mondays", hours: [{ day: "Tuesday", time: "10 to 17" }, { day: "Saturday", time: "10 to 20" }] }, live);

  const visitors = strapi.db.query("plugin::users-permissions.user");
  const groups = strapi.db.query("plugin::users-permissions.role");
  const member = await groups.findOne({ where: { type: "authenticated" } });
  await strapi.plugin("users-permissions").service("role").createRole({ name: "Friends", description: "Those who pay a fee", permissions: {} });
  for (const name of ["ida", "tom", "mei"])
    await strapi.plugin("users-permissions").service("user").add({ username: name, email: `${name}@example.org`, password: "Visitor-9-word", confirmed: true, blocked: name === "mei", role: member.id, provider: "local" });
  const public_ = await groups.findOne({ where: { type: "public" } });
  for (const action of ["api::article.article.find", "api::article.article.findOne", "api::exhibition.exhibition.find"])
    await strapi.db.query("plugin::users-permissions.permission").create({ data: { action, role: public_.id } });

  await strapi.service("admin::api-token").create({ name: "Ticket desk", description: "Reads the bookings", type: "read-only", lifespan: null });
  await strapi.service("admin::api-token").create({ name: "Mobile app", description: "Reads the articles", type: "custom", permissions: ["api::article.article.find"], lifespan: null });
  await strapi.service("admin::transfer").token.create({ name: "Backup server", description: "Pulls everything", permissions: ["pull"], lifespan: null });
  await strapi.get("webhookStore").createWebhook({ name: "Rebuild the site", url: "https://build.example/hook", headers: {}, events: ["entry.publish", "entry.unpublish"] });
  const off = await strapi.get("webhookStore").createWebhook({ name: "Newsletter", url: "https://letters.example/new", headers: {}, events: ["entry.publish"] });
  await strapi.get("webhookStore").updateWebhook(off.id, { ...off, isEnabled: false });
}

/** Gives documents ids that stay: the kind, zeros, the number. */
function rename() {
  const db = at("better-sqlite3")(`${STATE}/museum.db`);
  for (const { name, plural } of [...kinds, { name: "visitor", plural: "up_users" }]) {
    const ids = db.prepare(`SELECT document_id AS id FROM ${plural} GROUP BY document_id ORDER BY min(id)`).all();
    for (const [n, { id }] of ids.entries()) {
      const number = String(n + 1);
      db.prepare(`UPDATE ${plural} SET document_id = ? WHERE document_id = ?`).run(name + number.padStart(24 - name.length, "0"), id);
    }
  }
  db.close();
}

process.env.STRAPI_TELEMETRY_DISABLED = "true";
process.env.NODE_ENV = "production";
({ seed, serve: () => site().start() })[process.argv[2]]().catch((e) => {
  console.error(e);
  process.exit(1);
});
