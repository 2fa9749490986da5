import type { Element, ElementContent, Nodes as HtmlNodes, Text } from "hast";
import { toHtml } from "hast-util-to-html";
import type { Definition, Nodes } from "mdast";
import type {} from "mdast-util-math";
import { defaultHandlers, type Handlers, toHast } from "mdast-util-to-hast";
import { formulaMarkup, parseWithFormulas } from "@/app/_ui/markdown/formulas";
import { hostToShow, safeHref } from "@/app/_ui/markdown/link-address";

const text = (value: string): Text => ({ type: "text", value });

/**
 * The HTML runs and requests nothing: tags become text, images links. @param prefix makes the ids of footnotes those of
 * one message.
 */
export function markdownHtml(source: string, prefix: string): string {
  const tree = parseWithFormulas(source);
  const definitions = definitionsOf(tree);
  const handlers: Handlers = {
    html: (_, node: { value: string }) => text(node.value),
    link: (state, node) => link(node.url, state.all(node)),
    linkReference: (state, node) =>
      link(definitions.get(node.identifier)?.url ?? "", state.all(node)),
    image: (_, node) => image(node.url, node.alt),
    imageReference: (_, node) => image(definitions.get(node.identifier)?.url, node.alt),
    table: (state, node) => ({
      ...element("div", [defaultHandlers.table(state, node)]),
      properties: { className: ["table"] },
    }),
    math: (_, node: { value: string }) => formula(node.value, true),
    inlineMath: (_, node: { value: string }) => formula(node.value, false),
  };
  const html = toHast(tree, { handlers, clobberPrefix: `${prefix}-` });
  return toHtml(html as HtmlNodes, { allowDangerousHtml: true });
}

function definitionsOf(tree: Nodes): ReadonlyMap<string, Definition> {
  const found = new Map<string, Definition>();
  const look = (node: Nodes) => {
    if (node.type === "definition" && !found.has(node.identifier)) found.set(node.identifier, node);
    if ("children" in node) for (const child of node.children) look(child);
  };
  look(tree);
  return found;
}

function element(tagName: string, children: ElementContent[]): Element {
  return { type: "element", tagName, properties: {}, children };
}

function link(url: string, children: ElementContent[]): Element {
  const href = safeHref(url);
  if (href === null) return element("span", children);
  const host = hostToShow(toText(children), url);
  const shown = host === null ? children : [...children, text(` (${host})`)];
  return {
    ...element("a", shown),
    properties: { href, rel: ["noreferrer", "noopener"], target: "_blank" },
  };
}

function toText(children: readonly ElementContent[]): string {
  return children
    .map((child) =>
      child.type === "text" ? child.value : "children" in child ? toText(child.children) : "",
    )
    .join("");
}

function image(url: string | undefined, alt: string | null | undefined): Element {
  return link(url ?? "", [text(`Image: ${alt || "without a description"}`)]);
}

function formula(source: string, isDisplay: boolean): ElementContent {
  const markup = formulaMarkup(source, isDisplay);
  if (markup === null) return element("code", [text(source)]);
  // Made by KaTeX, which escapes what it shows.
  return { type: "raw", value: markup };
}
