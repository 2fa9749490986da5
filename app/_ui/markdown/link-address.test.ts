import { expect, it } from "vitest";
import { hostOf, hostToShow, safeHref } from "./link-address";

it.each(["https://example.org/a?b#c", "http://example.org/", "mailto:a@example.org"])(
  "leads to %s",
  (href) => expect(safeHref(href)).toBe(href),
);

it.each([
  "javascript:alert(1)",
  " JaVaScRiPt:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:https://example.org/x",
  "//example.org",
  "/settings",
  "#top",
  "",
  undefined,
])("does not lead to %j", (href) => expect(safeHref(href)).toBeNull());

it("names the host of a picture, when it has one", () => {
  expect(hostOf("https://evil.example/x.png?secret=1")).toBe("evil.example");
  expect(hostOf("data:image/png;base64,AAAA")).toBeNull();
  expect(hostOf("x.png")).toBeNull();
});

it("leads to a site without the user name of its address", () => {
  expect(safeHref("https://google.com:x@evil.example/a")).toBe("https://evil.example/a");
});

it.each([
  ["https://bank.example/login", "https://evil.example/", "evil.example"],
  ["bank.example", "https://evil.example/", "evil.example"],
  ["www.bank.example", "https://evil.example:8080/", "evil.example:8080"],
  ["Log in at https://bank.example", "https://evil.example/", "evil.example"],
  ["https://bank\u200b.example", "https://evil.example/", "evil.example"],
  ["\u202ehttps://bank.example", "https://evil.example/", "evil.example"],
  ["https://bank.example@evil.example/", "https://bank.example@evil.example/", "evil.example"],
  ["our site", "https://bank.example@evil.example/", "evil.example"],
])("shows the host behind the link %j to %s", (text, href, host) => {
  expect(hostToShow(text, href)).toBe(host);
});

it.each([
  ["our site", "https://example.org/"],
  ["https://example.org/a", "https://example.org/a"],
  ["example.org", "https://www.example.org/"],
  ["Write to us", "mailto:a@example.org"],
  ["version 1.2", "https://example.org/"],
])("shows no host behind the link %j to %s", (text, href) => {
  expect(hostToShow(text, href)).toBeNull();
});
