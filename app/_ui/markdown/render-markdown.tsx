import type {
  AlignType,
  Definition,
  FootnoteDefinition,
  List,
  ListItem,
  Nodes,
  Parents,
  Root,
  RootContent,
  Table,
  TableCell,
  TableRow,
} from "mdast";
import type {} from "mdast-util-math";
import { normalizeUri } from "micromark-util-sanitize-uri";
import { createElement, Fragment, type ReactNode } from "react";
import { directionOf } from "@/app/_ui/isolated";
import { CodeBlock } from "./code-block";
import { Anchor, Formula, ImagePlaceholder, TaskBox } from "./elements";
import { SortableTable } from "./sortable-table";

export interface MarkdownPlace {
  readonly start?: number | undefined;
  readonly isContinued?: boolean | undefined;
}

interface Scope {
  readonly source: string;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly notes: ReadonlyMap<string, FootnoteDefinition>;
  readonly noted: string[];
  readonly place: MarkdownPlace;
  readonly first: ReadonlySet<Nodes>;
}

/** Elements are children by their place, not by keys: in a growing text, places stay. */
export function renderMarkdown(root: Root, source: string, place: MarkdownPlace = {}): ReactNode {
  const scope = scopeOf(root, source, place);
  const blocks = between(childrenOf(root, scope));
  return createElement(Fragment, null, ...blocks, ...footnotes(scope));
}

export function renderCell(root: Root, source: string): ReactNode {
  const [table] = root.children;
  const cell = table?.type === "table" ? table.children[1]?.children[0] : undefined;
  if (!cell) return null;
  return createElement(Fragment, null, ...childrenOf(cell, scopeOf(root, source)));
}

function scopeOf(root: Root, source: string, place: MarkdownPlace = {}): Scope {
  const definitions = new Map<string, Definition>();
  const notes = new Map<string, FootnoteDefinition>();
  const look = (node: Nodes) => {
    if (node.type === "definition" && !definitions.has(node.identifier))
      definitions.set(node.identifier, node);
    if (node.type === "footnoteDefinition" && !notes.has(node.identifier))
      notes.set(node.identifier, node);
    if ("children" in node) for (const child of node.children) look(child);
  };
  look(root);
  return { source, definitions, notes, noted: [], place, first: firstNodes(root) };
}

function firstNodes(root: Root): ReadonlySet<Nodes> {
  const found = new Set<Nodes>();
  let next: Nodes | undefined = root.children.find(({ type }) => !type.endsWith("efinition"));
  while (next?.type === "blockquote" || next?.type === "list") {
    found.add(next);
    next = next.type === "blockquote" ? next.children[0] : undefined;
  }
  return found;
}

function continuedIn(node: Nodes, { place, first }: Scope) {
  if (!place.isContinued || !first.has(node)) return {};
  return continued(node.type === "blockquote" ? "Quote" : "List");
}

/**
 * Tells screen readers, which read each part as its own list, that it continues. A single list would render all items
 * again with each new one.
 */
export function continued(kind: "List" | "Quote") {
  return { className: "continued", "aria-label": `${kind}, continued` };
}

function childrenOf(parent: Parents, scope: Scope): ReactNode[] {
  const found: ReactNode[] = [];
  let isAfterBreak = false;
  for (const child of parent.children) {
    const shown = isAfterBreak && child.type === "text" ? child.value.replace(/^[ \t]+/, "") : null;
    if (shown !== null) found.push(withoutLineSpaces(shown));
    else found.push(...render(child, scope));
    isAfterBreak = child.type === "break";
  }
  return found;
}

function render(node: RootContent, scope: Scope): readonly ReactNode[] {
  const element = (tag: string, props: object = {}) => [
    createElement(tag, props, ...childrenOf(node as Parents, scope)),
  ];
  switch (node.type) {
    case "text":
    case "html":
      return [withoutLineSpaces(node.value)];
    case "paragraph":
      // An Arabic paragraph in an English answer reads from the right.
      return element("p", { dir: "auto" });
    case "heading":
      return element(`h${node.depth}`, { dir: "auto" });
    case "strong":
      return element("strong");
    case "emphasis":
      return element("em");
    case "delete":
      return element("del");
    case "break":
      return [<br key="break" />, "\n"];
    case "thematicBreak":
      return [<hr key="rule" />];
    case "inlineCode":
      return [createElement("code", { dir: "ltr" }, node.value.replace(/\r?\n|\r/g, " "))];
    case "code":
      return [createElement(CodeBlock, { code: node.value, language: languageOf(node.lang) })];
    case "math":
    case "inlineMath":
      return [createElement(Formula, { source: node.value, isDisplay: node.type === "math" })];
    case "link":
      return [link(node.url, node, scope)];
    case "linkReference":
      return [link(scope.definitions.get(node.identifier)?.url, node, scope)];
    case "image":
      return [createElement(ImagePlaceholder, { src: node.url, alt: node.alt })];
    case "imageReference": {
      const src = scope.definitions.get(node.identifier)?.url;
      return [createElement(ImagePlaceholder, { src, alt: node.alt })];
    }
    case "blockquote":
      // `auto` skips elements with their own direction, such as a quote's paragraphs.
      return [
        createElement(
          "blockquote",
          { ...directionIn(node), ...continuedIn(node, scope) },
          ...around(childrenOf(node, scope)),
        ),
      ];
    case "list":
      return [list(node, scope)];
    case "table":
      return [table(node, scope)];
    case "footnoteReference":
      return [footnoteReference(node.identifier, scope)];
    case "allowedElement":
      return element(node.data.hName, node.data.hProperties);
    default:
      return [];
  }
}

function languageOf(info: string | null | undefined): string {
  return /^\S+/.exec(info ?? "")?.[0] ?? "";
}

function link(url: string | undefined, node: Parents, scope: Scope): ReactNode {
  // A backslash in an address would be read as a slash.
  const href = url === undefined ? undefined : normalizeUri(url);
  return createElement(Anchor, { href, text: textOf(node) }, ...childrenOf(node, scope));
}

function list(node: List, scope: Scope): ReactNode {
  const isLoose = node.spread === true || node.children.some(isLooseItem);
  const items = node.children.map((item) =>
    createElement("li", directionIn(item), ...itemContent(item, { isLoose, scope })),
  );
  const start = (scope.first.has(node) ? scope.place.start : undefined) ?? node.start ?? 1;
  const props = {
    ...directionIn(node),
    ...continuedIn(node, scope),
    ...(node.ordered && start !== 1 && { start }),
  };
  return createElement(node.ordered ? "ol" : "ul", props, ...around(items));
}

function isLooseItem({ spread, children }: ListItem): boolean {
  return spread ?? children.length > 1;
}

function itemContent(
  { checked, children }: ListItem,
  { isLoose, scope }: { readonly isLoose: boolean; readonly scope: Scope },
): readonly ReactNode[] {
  const box = typeof checked === "boolean" ? createElement(TaskBox, { checked }) : null;
  const found: ReactNode[] = [];
  let isParagraph = true;
  if (box && children[0]?.type !== "paragraph") {
    found.push(...(isLoose ? ["\n", createElement("p", { dir: "auto" }, box)] : [box]));
  }
  for (const [index, child] of children.entries()) {
    const shown = child.type === "paragraph" ? childrenOf(child, scope) : [...render(child, scope)];
    if (shown.length === 0) continue;
    isParagraph = child.type === "paragraph";
    if (index === 0 && box && isParagraph) shown.unshift(box, " ");
    if (isLoose || found.length > 0 || !isParagraph) found.push("\n");
    if (isLoose && isParagraph) found.push(createElement("p", { dir: "auto" }, ...shown));
    else found.push(...shown);
  }
  return isLoose || !isParagraph ? [...found, "\n"] : found;
}

function table(node: Table, scope: Scope): ReactNode {
  const [head, ...rows] = node.children;
  const cells = (row: TableRow, tag: "th" | "td") =>
    (node.align ?? row.children).map((_, column) => {
      const cell = row.children[column];
      return cellOf(cell, { tag, align: node.align?.[column], scope });
    });
  const row = (each: TableRow, tag: "th" | "td") => createElement("tr", null, ...cells(each, tag));
  const { start, end } = node.position ?? {};
  return createElement(
    SortableTable,
    {
      words: node.children.map((each) => each.children.map(textOf)),
      source: scope.source.slice(start?.offset, end?.offset),
      ...directionIn(node),
    },
    head && createElement("thead", null, row(head, "th")),
    rows.length > 0 && createElement("tbody", null, ...rows.map((each) => row(each, "td"))),
  );
}

interface CellOptions {
  readonly tag: "th" | "td";
  readonly align: AlignType | undefined;
  readonly scope: Scope;
}

function cellOf(cell: TableCell | undefined, { tag, align, scope }: CellOptions): ReactNode {
  const props = { ...(cell && directionIn(cell)), ...(align && { style: { textAlign: align } }) };
  return createElement(tag, props, ...(cell ? childrenOf(cell, scope) : []));
}

function footnoteReference(identifier: string, { noted }: Scope): ReactNode {
  if (!noted.includes(identifier)) noted.push(identifier);
  return (
    <sup key="note">
      <bdi>{noted.indexOf(identifier) + 1}</bdi>
    </sup>
  );
}

function footnotes(scope: Scope): readonly ReactNode[] {
  if (scope.noted.length === 0) return [];
  const items: ReactNode[] = [];
  for (const identifier of scope.noted) {
    const note = scope.notes.get(identifier);
    if (!note) continue;
    items.push(createElement("li", directionIn(note), ...around(childrenOf(note, scope))));
  }
  const title = createElement("h2", { dir: "auto" }, "Footnotes");
  return [
    "\n",
    createElement("section", null, title, "\n", createElement("ol", null, ...around(items))),
  ];
}

/** Line ends keep blocks apart in an element's text. */
function between(children: readonly ReactNode[]): readonly ReactNode[] {
  return children.flatMap((child, index) => (index === 0 ? [child] : ["\n", child]));
}

function around(children: readonly ReactNode[]): readonly ReactNode[] {
  return ["\n", ...children.flatMap((child) => [child, "\n"])];
}

function withoutLineSpaces(text: string): string {
  return text.includes("\n") ? text.replace(/[ \t]*(\r?\n)[ \t]*/g, "$1") : text;
}

function directionIn(node: Nodes): { dir?: "ltr" | "rtl" } {
  const dir = firstDirection(node);
  return dir === null ? {} : { dir };
}

function firstDirection(node: Nodes): "ltr" | "rtl" | null {
  if (node.type === "text" || node.type === "html") return directionOf(node.value);
  if (!("children" in node)) return null;
  for (const child of node.children) {
    const found = firstDirection(child);
    if (found !== null) return found;
  }
  return null;
}

function textOf(node: Nodes): string {
  if (node.type === "break" || (node.type === "allowedElement" && node.data.hName === "br"))
    return "\n";
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}
