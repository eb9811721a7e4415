// Saves a text of the host as a download of the browser.

import type { Exported } from "../gen/wire";

export function download(file: Exported): void {
  const url = URL.createObjectURL(new Blob([file.text], { type: file.mime }));
  const a = document.createElement("a");
  a.href = url;
  a.download = file.name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
