import { expect, test } from "vitest";
import { webNeeds } from "./web-needs";

const plain = { tools: true, searchesWeb: false };
const searching = { tools: null, searchesWeb: true };
const off = { search: "off", readPages: "off" } as const;
const server = "Needs a search server, or a model that searches the web itself.";

test.each([
  [plain, { ...off, hasServer: false }, server],
  [plain, { ...off, hasServer: true }, null],
  [plain, { search: "off", readPages: "ask", hasServer: false }, null],
  [plain, { search: "on", readPages: "on", hasServer: false }, server],
  [searching, { ...off, hasServer: false }, null],
  [searching, { ...off, search: "on", hasServer: false }, null],
  [
    searching,
    { ...off, search: "ask", hasServer: false },
    "Needs a search server, since web search asks first.",
  ],
  [
    { ...searching, tools: false },
    { ...off, readPages: "on", hasServer: true },
    "Needs a model that takes tools.",
  ],
] as const)("names what the web needs: %j with %j", (model, web, needs) => {
  expect(webNeeds(model, web)).toBe(needs);
});
