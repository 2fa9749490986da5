import type { ModelsWire, ModelWire } from "@/lib/chat/wire/settings";

/** Says what is missing before the web can be searched with this model, `null` where nothing is. */
export function webNeeds(
  { tools, searchesWeb }: Pick<ModelWire, "tools" | "searchesWeb">,
  { policy, hasServer }: ModelsWire["web"],
): string | null {
  if (tools === false) return "Needs a model that takes tools.";
  // A provider that searches cannot ask before each call.
  if (hasServer || (searchesWeb && policy !== "ask")) return null;
  return searchesWeb
    ? "Needs a search server, since web search asks first."
    : "Needs a search server, or a model that searches the web itself.";
}
