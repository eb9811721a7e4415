import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";

document.body.innerHTML = `<h1>Console</h1><div id="screen"></div>`;
const term = new Terminal({ rows: 8, cols: 60 });
term.open(document.getElementById("screen"));
let line = "";
const lines = [];
term.write("$ ");
term.onData((d) => {
  for (const c of d) {
    if (c === "\r") { lines.push(line); line = ""; term.write("\r\n$ "); }
    else if (c === "\x7f") { line = line.slice(0, -1); term.write("\b \b"); }
    else if (c === "\x03") { line = ""; term.write("^C\r\n$ "); }
    else { line += c; term.write(c); }
  }
});
window.state = () => ({ lines, line });
