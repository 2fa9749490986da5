import { expect, test } from "vitest";
import { webNeeds } from "./web-needs";

const plain = { tools: true, searchesWeb: false };
const searching = { tools: null, searchesWeb: true };
const server = "Needs a search server, or a model that searches the web itself.";

test.each([
  [plain, { policy: "off", hasServer: false }, server],
  [plain, { policy: "off", hasServer: true }, null],
  [searching, { policy: "off", hasServer: false }, null],
  [searching, { policy: "on", hasServer: false }, null],
  [
    searching,
    { policy: "ask", hasServer: false },
    "Needs a search server, since web search asks first.",
  ],
  [
    { ...searching, tools: false },
    { policy: "on", hasServer: true },
    "Needs a model that takes tools.",
  ],
] as const)("names what the web needs: %j with %j", (model, web, needs) => {
  expect(webNeeds(model, web)).toBe(needs);
});
