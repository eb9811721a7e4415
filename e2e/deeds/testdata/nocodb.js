// The server of NocoDB on PORT, with its database in STATE.
const at = (name) => require(`${process.env.APP}/npm/node_modules/${name}`);
const server = at("express")();
const http = server.listen(Number(process.env.PORT), "127.0.0.1");
at("nocodb").Noco.init({}, http, server).then((app) => server.use(app));
