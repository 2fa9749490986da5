import { expect, test, vi } from "vitest";
import { logEvent, logFailure } from "./log";

function written(mode: string, act: () => void, { isTerminal = false } = {}): string {
  const lines: string[] = [];
  const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  vi.stubEnv("GROVE_LOG", mode);
  const { isTTY } = process.stderr;
  process.stderr.isTTY = isTerminal;
  act();
  process.stderr.isTTY = isTTY;
  write.mockRestore();
  return lines.join("");
}

test("a failure is one line of JSON for programs", () => {
  const error = Object.assign(new TypeError("It broke."), { code: "E_BROKEN", statusCode: 502 });
  expect(JSON.parse(written("json", () => logFailure("Backing up", error)))).toEqual({
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    level: "error",
    message: "Backing up",
    error: "TypeError",
    reason: "It broke.",
    code: "E_BROKEN",
    status: 502,
  });
});

test("a failure is a sentence for people", () => {
  const error = Object.assign(new Error("It broke."), { code: "E_BROKEN" });
  expect(written("text", () => logFailure("Backing up", error))).toMatch(
    /^\d{4}-\S+Z Backing up: Error: It broke\. \(E_BROKEN\)\n$/,
  );
});

test("a line in a terminal takes the place of the launcher's progress", () => {
  const log = () => logEvent("Grove has no account yet.");
  expect(written("text", log, { isTerminal: true })).toBe("\r\u001b[KGrove has no account yet.\n");
  expect(written("text", log)).toBe("Grove has no account yet.\n");
  expect(JSON.parse(written("json", log, { isTerminal: true })).level).toBe("info");
});

test.each([
  'invalid input syntax for type json: "my diary"',
  "Unexpected token 'm', \"my diary\" is not valid JSON",
  "Failed to parse URL from https://search.example/find?q=my-diary",
  "connect to postgres://me:my-diary@db:5432/grove failed",
  "No section is called “my diary”.",
])("no log repeats what a person wrote: %s", (message) => {
  for (const mode of ["json", "text"]) {
    const line = written(mode, () => logFailure("Answering", new Error(message)));
    expect(line).not.toMatch(/diary/);
  }
});

test("what a provider says about a call is left out, but for its status", () => {
  const error = Object.assign(new Error("You asked: my diary"), {
    name: "AI_APICallError",
    statusCode: 400,
  });
  expect(written("text", () => logFailure("Writing an answer", error))).toMatch(
    /Writing an answer: AI_APICallError \(400\)\n$/,
  );
});

test("events are lines, too", () => {
  const line = written("json", () => logEvent("Waiting for an answer."));
  expect(JSON.parse(line)).toMatchObject({ level: "info", message: "Waiting for an answer." });
  expect(written("text", () => logEvent("Waiting."))).toBe("Waiting.\n");
});
