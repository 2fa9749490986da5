import { expect, test } from "vitest";
import { refusedPage } from "./refused-page";

const requestOf = (path: string, destination: string) =>
  new Request(`http://grove.test${path}`, { headers: { "sec-fetch-dest": destination } });
const signedOut = { status: 401, code: "signed-out", message: "You are signed out." };

test.each([
  ["/api/sessions/a%20b/export?as=json", "/s/a%20b"],
  ["/api/export", "/settings?section=data"],
  ["/api/files/abc?name=x.png", "/"],
])("leads %s of somebody signed out to sign in, and then to %s", (path, page) => {
  const response = refusedPage(requestOf(path, "document"), signedOut);
  expect(response?.status).toBe(303);
  expect(response?.headers.get("location")).toBe(`/sign-in?next=${encodeURIComponent(page)}`);
});

test("shows other failures as a sentence", async () => {
  const missing = { status: 404, code: "session-not-found", message: "No chat has this id." };
  const response = refusedPage(requestOf("/api/sessions/x/export", "document"), missing);
  expect(response?.status).toBe(404);
  expect(response?.headers.get("content-type")).toContain("text/plain");
  expect(await response?.text()).toBe("No chat has this id.");
});

test("leaves scripts their JSON", () => {
  expect(refusedPage(requestOf("/api/export", "empty"), signedOut)).toBeNull();
  expect(refusedPage(new Request("http://grove.test/api/export"), signedOut)).toBeNull();
});
