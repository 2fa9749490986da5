import { endpoint } from "@/app/api/endpoint";
import { assertConfirmed } from "@/lib/accounts/confirmation";
import { assertRoomForKey, createKey, listKeys } from "@/lib/chat/programs/keys";
import { accessTo } from "@/lib/server/access";
import { makeProject } from "@/lib/server/projects";

export const GET = endpoint("GET /api/keys", async ({ owner }) => ({
  keys: await listKeys(owner),
}));

export const POST = endpoint("POST /api/keys", async ({ owner, body, making, ...asked }) => {
  const { identity, services } = asked;
  if (identity.person) assertConfirmed(identity.person);
  const { newProject, ...key } = body;
  const { space } = key;
  if (space && newProject !== undefined) {
    await assertRoomForKey(owner, making.id);
    await makeProject(services, identity, { id: space, name: newProject });
  }
  if (space) await accessTo(services, identity, { space, need: "writes" });
  return createKey(owner, key, making.id);
});
