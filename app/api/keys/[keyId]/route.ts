import { endpoint } from "@/app/api/endpoint";
import { revokeKey } from "@/lib/chat/programs/keys";

export const DELETE = endpoint("DELETE /api/keys/:keyId", async ({ owner, params }) => {
  await revokeKey(owner, params.keyId);
  return { ok: true };
});
