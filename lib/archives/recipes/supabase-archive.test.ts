import { PostgrestClient } from "@supabase/postgrest-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeArchive } from "../../session/testing";
import { FakePostgrest } from "../testing/fake-postgrest";
import { freePort } from "../testing/redis-server";
import { supabaseArchive } from "./supabase-archive";

let server: FakePostgrest;

beforeAll(async () => {
  server = await FakePostgrest.start();
});
afterAll(() => server.stop());

describeArchive(
  "supabaseArchive with the real client on a fake PostgREST (no server)",
  (owner) => supabaseArchive(new PostgrestClient(server.url), { owner }),
  {
    makeBroken: async () =>
      // The client would try again for seven seconds.
      supabaseArchive(
        new PostgrestClient(`http://127.0.0.1:${await freePort()}`, { retry: false }),
      ),
  },
);

test("a refusal of the service is a named error with its code", async () => {
  const refusing = new PostgrestClient(server.url, {
    fetch: async () =>
      Response.json(
        { message: "CANARY", code: "42501", details: null, hint: null },
        { status: 403 },
      ),
  });
  const error: Error = await supabaseArchive(refusing)
    .get("tea")
    .then(
      () => new Error("It was read."),
      (caught: Error) => caught,
    );
  expect(`${error}`).toBe("ArchiveFailedError: The archive in Supabase failed (42501).");
});
