import { expect, test } from "vitest";
import { scriptSources } from "./app-bench";

test("finds scripts and preloads once each, and leaves out what modern browsers do not load", () => {
  const html = `
    <link rel="preload" as="script" fetchPriority="low" href="/a.js"/>
    <link rel="stylesheet" href="/a.css"/>
    <script src="/a.js" async=""></script>
    <script nonce="n" src="/b.js?x=1&amp;y=2"></script>
    <script src="/old.js" noModule=""></script>
    <script>inline()</script>`;
  expect(scriptSources(html)).toEqual(["/a.js", "/b.js?x=1&y=2"]);
});
