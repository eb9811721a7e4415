// Markdown of the agent, made safe. Text that still streams is drawn in two
// parts, so that each word redraws only the last paragraph.

import { useMemo } from "preact/hooks";
import { html } from "../markdown";

export function Markdown({ text }: { text: string }) {
  const safe = useMemo(() => html(text), [text]);
  return <div class="md" dangerouslySetInnerHTML={{ __html: safe }} />;
}

export function StreamedMarkdown({ text }: { text: string }) {
  const at = settled(text);
  return <>{at > 0 && <Markdown text={text.slice(0, at)} />}<Markdown text={text.slice(at)} /></>;
}

/** Returns the index where the last paragraph begins; a code block is one paragraph, even with empty lines. */
function settled(text: string): number {
  let at = text.lastIndexOf("\n\n");
  while (at > 0 && (text.slice(0, at).match(/^\s*(```|~~~)/gm)?.length ?? 0) % 2 === 1) at = text.lastIndexOf("\n\n", at - 1);
  return at > 0 ? at : 0;
}
