import { SessionEvents } from "grove-session";
import { expect, test } from "vitest";
import { RequestOrigin } from "./tab-events";

const requestOf = (tab: string) =>
  new Request("http://localhost/", { headers: { "X-Grove-Tab": tab } });

test("an event names the tab whose request caused it, and none once that is answered", async () => {
  const requests = new RequestOrigin();
  const origins: unknown[] = [];
  const events = new SessionEvents("o", {
    origin: () => requests.tab,
    publish: ({ origin }) => void origins.push(origin),
  });
  const emit = () => events.emit({ type: "settings", sessionId: null });
  const answered = Promise.withResolvers<void>();
  let background: Promise<void> | undefined;
  await requests.serve(requestOf("tab-1"), async () => {
    background = answered.promise.then(emit);
    await Promise.resolve();
    emit();
  });
  answered.resolve();
  await background;
  emit();
  expect(origins).toEqual(["tab-1", undefined, undefined]);
});

test("requests at the same time keep their tabs apart", async () => {
  const requests = new RequestOrigin();
  const tabs = await Promise.all(
    ["one", "two"].map((tab) =>
      requests.serve(requestOf(tab), async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return requests.tab;
      }),
    ),
  );
  expect(tabs).toEqual(["one", "two"]);
});

test("a name that no tab would choose is left out", async () => {
  const requests = new RequestOrigin();
  expect(await requests.serve(requestOf("x".repeat(65)), () => requests.tab)).toBeUndefined();
});
