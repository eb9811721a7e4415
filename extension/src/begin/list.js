// Injected after the extractor into a document whose first look will probably be a list (relay/follow.ts).
globalThis.__tabwright?.begin?.("list");
