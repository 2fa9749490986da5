import { endpoint } from "@/app/api/endpoint";
import { changeKey, revokeKey } from "@/lib/chat/programs/keys";

export const PATCH = endpoint("PATCH /api/keys/:keyId", ({ owner, params, body }) =>
  changeKey(owner, params.keyId, body),
);

export const DELETE = endpoint(
  "DELETE /api/keys/:keyId",
  async ({ owner, params, services, identity }) => {
    await revokeKey(owner, params.keyId);
    const { person } = identity;
    if (person) await services.accounts?.apps.endTokens(person.userId, params.keyId);
    return { ok: true };
  },
);
