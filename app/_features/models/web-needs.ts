import type { ModelsWire, ModelWire } from "@/lib/chat/wire/settings";

/** Says what the web lacks with this model, `null` where nothing is missing: to read pages alone takes no server. */
export function webNeeds(
  { tools, searchesWeb }: Pick<ModelWire, "tools" | "searchesWeb">,
  { search, readPages, hasServer }: ModelsWire["web"],
): string | null {
  if (tools === false) return "Needs a model that takes tools.";
  // A provider that searches cannot ask before each call.
  if (hasServer || (searchesWeb && search !== "ask")) return null;
  if (search === "off" && readPages !== "off") return null;
  return searchesWeb
    ? "Needs a search server, since web search asks first."
    : "Needs a search server, or a model that searches the web itself.";
}
