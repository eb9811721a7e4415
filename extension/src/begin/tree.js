// Injected after the extractor into a document whose first look will probably be a tree (relay/follow.ts).
globalThis.__tabwright?.begin?.("tree");
