import { afterEach, expect, test, vi } from "vitest";
import { pageFetch, pagePerson, signInPath } from "./page-person";

const answering = (status: number, code = "") =>
  vi.stubGlobal("fetch", async () =>
    Response.json(status < 300 ? { ok: true } : { error: { code, message: "No." } }, { status }),
  );

afterEach(() => {
  vi.unstubAllGlobals();
  pagePerson.update(() => "signed-in");
});

test("every request notices that its person is signed out, and that they are back", async () => {
  answering(401, "signed-out");
  const response = await pageFetch("/api/usage");
  expect([pagePerson.read(), (await response.json()).error.code]).toEqual([
    "signed-out",
    "signed-out",
  ]);
  answering(200);
  await pageFetch("/api/usage");
  expect(pagePerson.read()).toBe("signed-in");
});

test("a page notices the next person at its browser, and no other conflict", async () => {
  answering(409, "message-conflict");
  await pageFetch("/api/sessions");
  expect(pagePerson.read()).toBe("signed-in");
  answering(409, "other-account");
  await pageFetch("/api/sessions");
  expect(pagePerson.read()).toBe("other-account");
});

test("a failing server tells nothing of the person", async () => {
  answering(401, "signed-out");
  await pageFetch("/api/usage");
  answering(503, "database");
  await pageFetch("/api/usage");
  expect(pagePerson.read()).toBe("signed-out");
});

test("a page of nobody stays as it is", async () => {
  vi.stubGlobal("document", { documentElement: { dataset: { owner: "nobody" } } });
  answering(401, "signed-out");
  await pageFetch("/api/account");
  expect(pagePerson.read()).toBe("signed-in");
});

test("a page that is left by signing out leads nowhere else", async () => {
  pagePerson.update(() => "leaving");
  answering(401, "signed-out");
  await pageFetch("/api/sessions");
  expect(pagePerson.read()).toBe("leaving");
});

test("signing in leads back to the branch that was open", () => {
  expect(signInPath({ pathname: "/s/a", search: "?leaf=b" })).toBe(
    "/sign-in?next=%2Fs%2Fa%3Fleaf%3Db",
  );
});
