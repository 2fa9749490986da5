import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newOwner, plainSealer } from "@/lib/chat/testing/chat-fixture";
import { manualChat } from "@/lib/chat/testing/run-fixture";
import { writeServerRequest } from "@/lib/chat/wire/tools";
import { createTestDatabase, type TestDatabase } from "@/lib/postgres/testing/test-database";
import { openSignIn, startGuardedServer } from "./testing/guarded-server";
import { toolsOfServers } from "./testing/tools-of-servers";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const callback = "http://127.0.0.1:3000/sign-in/callback";

/** An owner with a server that wants a sign-in. */
async function guardedServer() {
  const { server, authorization } = await startGuardedServer();
  const owner = newOwner(database.sql, crypto.randomUUID(), { sealer: plainSealer });
  const request = writeServerRequest.parse({ name: "Station", url: server.url });
  const view = await owner.toolServers.write("s1", request);
  /** @returns what the authorization page sends back. */
  const authorize = async () => {
    const { page } = await owner.toolServers.beginSignIn("s1", callback);
    const { searchParams: query } = await openSignIn(page);
    return { code: query.get("code") ?? "", state: query.get("state") ?? "", iss: undefined };
  };
  return { owner, server, authorization, view, authorize };
}

describe("a server that wants a sign-in", () => {
  test("says so, and lists its tools once the person has signed in", { tags: "long" }, async () => {
    const { owner, view, authorize } = await guardedServer();
    expect(view.servers[0]).toMatchObject({ signIn: "needed" });
    expect(toolsOfServers(view)).toEqual([]);
    await owner.toolServers.endSignIn(await authorize());
    const signedIn = await owner.toolServers.view();
    expect(signedIn.servers[0]).toMatchObject({ signIn: "done", problem: null });
    expect(toolsOfServers(signedIn).map(({ name }) => name)).toEqual(["station__weather"]);
  });

  test("is called with the token, and says when it is no longer taken", {
    tags: "long",
  }, async () => {
    const { owner, server, authorization, authorize } = await guardedServer();
    await owner.toolServers.endSignIn(await authorize());
    await owner.tools.choose({ station__weather: "on" });
    const first = manualChat(database.sql, { owner });
    first.model.turn(0).call("station__weather", { city: "Rome" }).finish("tool-calls");
    first.model.turn(1).say("Done").finish();
    await first.conversation.ask("Weather?");
    expect(server.calls).toEqual([{ city: "Rome" }]);
    authorization.revokeAll();
    const second = manualChat(database.sql, { owner });
    second.model.turn(0).call("station__weather", { city: "Rome" }).finish("tool-calls");
    second.model.turn(1).say("Done").finish();
    const answer = await second.conversation.ask("Weather?");
    expect(JSON.stringify(answer.parts)).toContain("asks you to sign in");
    expect(server.calls).toHaveLength(1);
  });

  test("stays signed in when several chats renew the sign-in in turn", {
    tags: "long",
  }, async () => {
    const { owner, server, authorization, authorize } = await guardedServer();
    await owner.toolServers.endSignIn(await authorize());
    await owner.tools.choose({ station__weather: "on" });
    const chats = [manualChat(database.sql, { owner }), manualChat(database.sql, { owner })];
    for (const turn of [0, 2, 4]) {
      for (const { model, conversation } of chats) {
        authorization.expireTokens();
        model.turn(turn).call("station__weather", { city: "Rome" }).finish("tool-calls");
        model
          .turn(turn + 1)
          .say("Done")
          .finish();
        await conversation.ask("Weather?");
      }
    }
    expect(server.calls).toHaveLength(6);
    expect((await owner.toolServers.view()).servers[0]).toMatchObject({ signIn: "done" });
  });

  test("takes no answer of a sign-in that Grove did not begin, and each answer once", async () => {
    const { owner, authorize } = await guardedServer();
    const answer = await authorize();
    const forged = { ...answer, state: `s1.${"A".repeat(32)}` };
    await expect(owner.toolServers.endSignIn(forged)).rejects.toMatchObject({
      code: "server-failed",
    });
    await owner.toolServers.endSignIn(answer);
    await expect(owner.toolServers.endSignIn(answer)).rejects.toMatchObject({
      code: "server-failed",
    });
  });

  test("keeps tokens from the page", { tags: "long" }, async () => {
    const { owner, authorization, authorize } = await guardedServer();
    await owner.toolServers.endSignIn(await authorize());
    const shown = JSON.stringify(await owner.toolServers.view());
    for (const token of authorization.tokens) expect(shown).not.toContain(token);
  });
});
