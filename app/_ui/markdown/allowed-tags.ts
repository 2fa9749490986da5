import type { Parent, Root, RootContent } from "mdast";

export interface AllowedElement extends Parent {
  readonly type: "allowedElement";
  children: RootContent[];
  readonly data: { readonly hName: string; readonly hProperties: { readonly open?: boolean } };
}

declare module "mdast" {
  interface RootContentMap {
    allowedElement: AllowedElement;
  }
}

interface Node {
  readonly type: string;
  readonly value?: string;
  readonly children?: Node[];
  readonly data?: { readonly hName: string; readonly hProperties: Record<string, unknown> };
}

const inline = new Set(["sub", "sup", "kbd"]);
const blocks = new Set(["details", "summary"]);
const flowParents = new Set(["root", "blockquote", "listItem"]);
const deepest = 20;

const allowed = /<(\/?)(br|sub|sup|kbd|details|summary)((?:\s[^<>]*)?)\/?>/gi;
const startsAllowed = /^\s*<\/?(?:br|sub|sup|kbd|details|summary)(?=[\s/>])/i;

type TagToken =
  | { readonly kind: "open" | "close" | "break"; readonly name: string; readonly text: string }
  | { readonly kind: "node"; readonly node: Node };

interface OpenElement {
  readonly name: string;
  readonly text: string;
  readonly children: Node[];
}

/** Turns a few tags of a tree into elements, without their attributes. All others stay text. */
export function allowTags(tree: Root): void {
  replaceIn(tree as Node, 0);
}

function replaceIn(parent: Node, depth: number): void {
  const { children } = parent;
  if (!children) return;
  for (const child of children) replaceIn(child, depth + 1);
  if (!children.some((child) => child.type === "html" && startsAllowed.test(child.value ?? "")))
    return;
  const isFlow = flowParents.has(parent.type);
  children.splice(0, children.length, ...nest(children.flatMap(tokensOf), { isFlow }));
}

function tokensOf(node: Node): readonly TagToken[] {
  const { value = "" } = node;
  if (node.type !== "html" || !startsAllowed.test(value)) return [{ kind: "node", node }];
  const tokens: TagToken[] = [];
  let end = 0;
  const addText = (text: string) => {
    if (text.trim() !== "") tokens.push({ kind: "node", node: { type: "text", value: text } });
  };
  for (const match of value.matchAll(allowed)) {
    const [text, slash, tag = ""] = match;
    addText(value.slice(end, match.index));
    end = match.index + text.length;
    const name = tag.toLowerCase();
    if (name === "br") tokens.push({ kind: "break", name, text });
    else tokens.push({ kind: slash ? "close" : "open", name, text });
  }
  addText(value.slice(end));
  return tokens;
}

function nest(tokens: readonly TagToken[], { isFlow }: { isFlow: boolean }): Node[] {
  const root: OpenElement = { name: "", text: "", children: [] };
  const open: OpenElement[] = [root];
  const last = () => open.at(-1) ?? root;
  const closeLast = () => {
    const closed = open.pop();
    if (closed) last().children.push(elementOf(closed));
  };
  for (const token of tokens) {
    if (token.kind === "node") last().children.push(token.node);
    else if (token.kind === "break") last().children.push({ type: "break" });
    else if (token.kind === "open") {
      if (mayOpen(token.name, { isFlow, under: last().name }) && open.length < deepest)
        open.push({ name: token.name, text: token.text, children: [] });
      else last().children.push({ type: "text", value: token.text });
    } else if (open.some(({ name }) => name === token.name)) {
      while (last().name !== token.name) giveUp(open);
      closeLast();
    } else last().children.push({ type: "text", value: token.text });
  }
  while (open.length > 1) {
    if (blocks.has(last().name)) closeLast();
    else giveUp(open);
  }
  return isFlow ? inParagraphs(root.children) : root.children;
}

function mayOpen(
  name: string,
  { isFlow, under }: { readonly isFlow: boolean; readonly under: string },
): boolean {
  if (name === "summary") return under === "details";
  return inline.has(name) || (isFlow && (under === "" || under === "details"));
}

function giveUp(open: OpenElement[]): void {
  const { text, children } = open.pop() ?? { text: "", children: [] };
  open.at(-1)?.children.push({ type: "text", value: text }, ...children);
}

function elementOf({ name, text, children }: OpenElement): Node {
  if (name !== "details") return element(name, children);
  const [first] = children;
  const hasSummary = first?.data?.hName === "summary";
  const summary = hasSummary ? first : element("summary", [{ type: "text", value: "Details" }]);
  const isOpen = /\sopen(?=[\s=>/])/i.test(text);
  const content = inParagraphs(hasSummary ? children.slice(1) : children);
  return element(name, [summary, ...content], isOpen ? { open: true } : {});
}

function element(name: string, children: Node[], hProperties: Record<string, unknown> = {}): Node {
  return { type: "allowedElement", data: { hName: name, hProperties }, children };
}

const phrasing = new Set(["text", "break"]);

function inParagraphs(nodes: readonly Node[]): Node[] {
  const found: Node[] = [];
  let words: Node[] = [];
  const end = () => {
    if (words.length > 0) found.push({ type: "paragraph", children: words });
    words = [];
  };
  for (const node of nodes) {
    if (phrasing.has(node.type) || inline.has(node.data?.hName ?? "")) words.push(node);
    else {
      end();
      found.push(node);
    }
  }
  end();
  return found;
}
