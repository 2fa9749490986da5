import { JSDOM, VirtualConsole } from "jsdom";
import { type Environment, populateGlobal } from "vitest/runtime";
import { addLayout } from "./layout";

/** The server of a story runs in the same process, on what Node gives it. */
const ofNode = [
  "AbortController",
  "AbortSignal",
  "Blob",
  "File",
  "FormData",
  "Headers",
  "Request",
  "Response",
  "TextDecoder",
  "TextEncoder",
  "URL",
  "URLSearchParams",
  "fetch",
  "performance",
  "structuredClone",
] as const;

/** The address that the server of a story expects. */
export const siteAddress = "http://127.0.0.1:3000";

const environment: Environment = {
  name: "page",
  viteEnvironment: "ssr",
  setup(global) {
    const dom = new JSDOM("<!doctype html><html lang='en'><head></head><body></body></html>", {
      url: `${siteAddress}/`,
      pretendToBeVisual: true,
      virtualConsole: new VirtualConsole(),
    });
    addLayout(dom.window);
    const own = ofNode.map(
      (name) => [name, Object.getOwnPropertyDescriptor(global, name)] as const,
    );
    const { keys, originals } = populateGlobal(global, dom.window, { bindFunctions: true });
    for (const [name, descriptor] of own)
      if (descriptor) Object.defineProperty(global, name, descriptor);
    return {
      teardown() {
        dom.window.close();
        for (const key of keys) delete global[key];
        for (const [key, value] of originals) global[key] = value;
      },
    };
  },
};

export { environment as default };
