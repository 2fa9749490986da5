import type { Nodes } from "mdast";

/** The words of a node, without marks. */
export function textOf(node: Nodes): string {
  if (node.type === "break" || (node.type === "allowedElement" && node.data.hName === "br"))
    return "\n";
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}
