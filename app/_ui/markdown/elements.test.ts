import { expect, it } from "vitest";
import { hostOf, safeHref } from "./elements";

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
