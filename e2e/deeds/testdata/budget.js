// A household's accounts, bills, payees and rules, before Actual Budget. The argument is seed or serve.
const fs = require("fs");
const path = require("path");
const { execFileSync, spawn } = require("child_process");

const { APP, STATE, PORT, URL: url } = process.env;
const modules = `${APP}/npm/node_modules`;
const server = `${modules}/@actual-app/sync-server/build/app.js`;
const env = { ...process.env, NODE_ENV: "production", ACTUAL_DATA_DIR: STATE, ACTUAL_HOSTNAME: "127.0.0.1", ACTUAL_PORT: PORT };
const password = "secret-9-word";

/** Builds the one package that needs it, as no script ran at the installation; once. */
function build() {
  if (fs.existsSync(`${modules}/better-sqlite3/build/Release/better_sqlite3.node`)) return;
  const root = path.dirname(path.dirname(process.execPath));
  const headers = fs.existsSync(`${root}/include/node/node_api.h`) ? { npm_config_nodedir: root } : {};
  execFileSync("npm", ["rebuild", "--silent", "--prefix", `${APP}/npm`, "better-sqlite3"], { env: { ...process.env, ...headers } });
}

async function post(at, body) {
  const answer = await fetch(url + at, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  return answer.json();
}

async function seed() {
  build();
  const child = spawn(process.execPath, [server], { env, stdio: ["ignore", fs.openSync("seed.log", "w"), 2] });
  try {
    for (let i = 0; ; i++) {
      try {
        await post("/account/bootstrap", { password });
        break;
      } catch (err) {
        if (child.exitCode !== null || i > 300) throw err;
        await new Promise((done) => setTimeout(done, 200));
      }
    }
    const api = require(`${modules}/@actual-app/api`);
    fs.mkdirSync("made");
    const { db, send } = await api.init({ dataDir: `${STATE}/made`, serverURL: url, password, verbose: false });
    for (const [name, fill] of [["Camping trip", trip], ["Household", household]]) await api.runImport(name, () => fill(api, db, send));
    await api.shutdown();
  } finally {
    child.kill();
  }
  fs.rmSync("made", { recursive: true });
}

/** The day so many days from today, as far as the browser's day goes. */
function day(off) {
  const d = new Date();
  d.setDate(d.getDate() + off);
  return `${d.getFullYear()}-${String(d.getMonth() + 1).padStart(2, "0")}-${String(d.getDate()).padStart(2, "0")}`;
}

async function account(api, db, id, name, more = {}) {
  await db.insertAccount({ id, name, offbudget: 0, closed: 0, ...more });
  await db.insertPayee({ name: "", transfer_acct: id });
}

async function trip(api, db) {
  await account(api, db, "purse", "Purse");
  await api.addTransactions("purse", [{ date: day(-90), amount: 20000, payee_name: "Starting money" }]);
}

async function household(api, db, send) {
  for (const [id, name, more] of [
    ["checking", "Checking"], ["savings", "Savings"], ["card", "Credit card"], ["cash", "Cash"],
    ["house", "House", { offbudget: 1 }], ["oldbank", "Old bank", { closed: 1 }],
  ]) await account(api, db, id, name, more);

  const categories = {};
  for (const [group, ...names] of [["Everyday", "Food", "Household goods", "Transport"], ["Bills", "Rent", "Power", "Phone"], ["Fun", "Eating out", "Films", "Travel"]]) {
    const group_id = await api.createCategoryGroup({ name: group });
    for (const name of names) categories[name] = await api.createCategory({ name, group_id });
  }
  categories.Income = (await api.getCategories()).find((c) => c.name === "Income").id;

  const payees = {};
  for (const p of await api.getPayees()) if (p.transfer_acct) payees[p.transfer_acct] = p.id;
  const rows = (list) => list.map(([off, amount, payee_name, category, notes, cleared = true]) => (
    { date: day(off), amount, payee_name, category: categories[category], notes, cleared }));
  await api.addTransactions("checking", rows([
    [-70, 150000, "Opening", "Income", "What was there"],
    [-61, 285000, "Museum", "Income", "Pay"],
    [-58, -95000, "Landlord", "Rent", "Flat in Mill Lane"],
    [-45, -8450, "Greengrocer", "Food", "Weekly shop"],
    [-31, 285000, "Museum", "Income", "Pay"],
    [-28, -95000, "Landlord", "Rent", "Flat in Mill Lane"],
    [-21, -6130, "Power company", "Power", "Winter"],
    [-14, -2995, "Phone company", "Phone", ""],
    [-9, -7320, "Greengrocer", "Food", "Weekly shop"],
    [-6, -1840, "Corner shop", "Household goods", "Soap"],
    [-4, -4200, "Railway", "Transport", "Week ticket", false],
    [-3, -5515, "Green grocer Ltd", undefined, "", false],
    [-2, -12900, "Bookshop", undefined, "Present for Ida", false],
    [-1, -3650, "Café Lind", "Eating out", "With Tom", false],
  ]), { runTransfers: false });
  await api.addTransactions("card", rows([
    [-40, -23900, "Airline", "Travel", "To Lisbon"],
    [-20, -1299, "Film club", "Films", ""],
    [-12, -4575, "Thai house", "Eating out", "Birthday"],
    [-5, -8800, "Shoe shop", undefined, "Boots", false],
  ]));
  await api.addTransactions("cash", rows([[-30, 10000, "Opening", "Income", ""], [-8, -1250, "Market", "Food", "Apples"]]));
  await api.addTransactions("savings", rows([[-70, 820000, "Opening", "Income", "What was there"]]));
  await api.addTransactions("house", rows([[-70, 24500000, "Opening", undefined, "Worth"]]));
  await api.addTransactions("oldbank", rows([[-300, 4000, "Opening", "Income", ""], [-200, -4000, "Landlord", "Rent", "Last of it"]]));
  await api.addTransactions("checking", [{ date: day(-10), amount: -30000, payee: payees.savings, notes: "Put aside", cleared: true }], { runTransfers: true });
  for (const t of await api.getTransactions("checking", day(-100), day(-50))) await db.updateTransaction({ id: t.id, reconciled: true });

  for (const p of await api.getPayees()) payees[p.name] = p.id;
  await api.createPayee({ name: "Swimming bath" });
  const month = day(0).slice(0, 7);
  for (const [name, amount] of Object.entries({ Food: 40000, "Household goods": 8000, Transport: 9000, Rent: 95000, Power: 6500, Phone: 3000, "Eating out": 12000, Films: 1500, Travel: 30000 })) {
    await api.setBudgetAmount(month, categories[name], amount);
  }
  for (const [field, op, value, set] of [
    ["imported_payee", "contains", "grocer", { op: "set", field: "category", value: categories.Food }],
    ["imported_payee", "contains", "cinema", { op: "set", field: "category", value: categories.Films }],
    ["notes", "contains", "birthday", { op: "set", field: "category", value: categories["Eating out"] }],
  ]) await api.createRule({ stage: null, conditionsOp: "and", conditions: [{ field, op, value }], actions: [set] });
  for (const [name, payee, amount, off, frequency, posts_transaction] of [
    ["Rent for the flat", "Landlord", -95000, 2, "monthly", false],
    ["Phone", "Phone company", -2995, 5, "monthly", false],
    ["Film club fee", "Film club", -1299, 11, "monthly", true],
    ["Power bill", "Power company", -6130, 20, "yearly", false],
  ]) await api.createSchedule({ name, payee: payees[payee], account: "checking", amount, amountOp: "is", posts_transaction, date: { frequency, start: day(off), interval: 1, endMode: "never" } });
  await api.createTag({ tag: "tax", color: "#cc5500", description: "For the tax return" });
  await api.createTag({ tag: "gift", color: "#0055cc", description: "Presents" });
  await api.updateNote(categories.Travel, "Lisbon in May");
  await send("filter-create", { state: { name: "Big ones", conditionsOp: "and", conditions: [{ op: "lt", field: "amount", value: -50000 }] }, filters: [] });
}

/**
 * The server, which notes each request in the file heard by its time. A page that is loaded again comes late,
 * after what the page before it had begun; no service worker hands it out at once.
 */
function serve() {
  const { Server } = require("http");
  const emit = Server.prototype.emit;
  Server.prototype.emit = function (event, request, response) {
    if (event !== "request") return emit.apply(this, arguments);
    fs.writeFileSync(`${STATE}/heard`, "");
    if (request.url === "/sw.js") return response.writeHead(404).end();
    const again = request.headers["sec-fetch-dest"] === "document" && request.headers["cache-control"];
    return setTimeout(() => emit.call(this, event, request, response), again ? 2000 : 0);
  };
  Object.assign(process.env, env);
  return import(server);
}

({ seed, serve })[process.argv[2]]();
