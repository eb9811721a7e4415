import Dropzone from "dropzone";
import "dropzone/dist/dropzone.css";
import * as FilePond from "filepond";
import "filepond/dist/filepond.css";

document.body.innerHTML = `<h1>Files</h1><form id="zone" class="dropzone"></form><input type="file" id="pond">`;
const zone = new Dropzone("#zone", { url: "/none", autoProcessQueue: false, addRemoveLinks: true });
const pond = FilePond.create(document.getElementById("pond"));
window.state = () => ({ zone: zone.files.map((f) => f.name), pond: pond.getFiles().map((f) => f.filename) });
