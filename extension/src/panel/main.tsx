import "./panel.css";
chrome.runtime.connect({ name: "panel" });
