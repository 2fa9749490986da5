import type { TagsWire } from "@/lib/chat/wire/sessions";
import { route } from "@/lib/server/route";

export const GET = route(async ({ owner }) => {
  const answer: TagsWire = { tags: await owner.store.sessions.tags() };
  return Response.json(answer);
});
