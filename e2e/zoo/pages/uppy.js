import Uppy from "@uppy/core";
import Dashboard from "@uppy/dashboard";
import "@uppy/core/css/style.min.css";
import "@uppy/dashboard/css/style.min.css";

document.body.innerHTML = `<h1>Files</h1><div id="uppy"></div>`;
const uppy = new Uppy().use(Dashboard, { inline: true, target: "#uppy", width: 600, height: 300 });
window.state = () => ({ files: uppy.getFiles().map((f) => f.name) });
