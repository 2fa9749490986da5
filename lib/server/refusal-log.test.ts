import { expect, test } from "vitest";
import { guard } from "./guard";
import { RefusalLog } from "./refusal-log";

const facts = {
  method: "GET",
  path: "/api/sessions",
  host: "localhost:3000",
  origin: null,
  fetchSite: null,
  contentType: null,
  contentLength: null,
};

function refusalOf(changed: Partial<typeof facts> | { host: string; origin?: string }) {
  const decision = guard({ ...facts, ...changed } as typeof facts, { port: 3000 });
  if (decision === "allow") throw new Error("It was allowed.");
  return decision;
}

test("a wrong Host or Origin is logged once a minute for each reason, without what was sent", () => {
  const lines: string[] = [];
  let now = 0;
  const log = new RefusalLog(
    (line) => lines.push(line),
    () => now,
  );
  const host = refusalOf({ host: "evil.example" });
  for (let n = 0; n < 38; n++) log.note(host);
  log.note(refusalOf({ host: "localhost:3000", origin: "http://evil.example" }));
  expect(lines).toEqual([
    expect.stringContaining("(forbidden-host): Grove answers only on this machine"),
    expect.stringContaining("(cross-site): This request comes from another site."),
  ]);
  now = 60_000;
  log.note(host);
  expect(lines[2]).toMatch(/^A request was refused \(forbidden-host\).* 37 more since/);
  expect(lines.join()).not.toContain("evil");
});

test("a body of another type, which a program may send by mistake, is not logged", () => {
  const lines: string[] = [];
  const log = new RefusalLog((line) => lines.push(line));
  log.note({ status: 415, code: "unsupported-media-type", message: "Send the body as JSON." });
  expect(lines).toEqual([]);
});
