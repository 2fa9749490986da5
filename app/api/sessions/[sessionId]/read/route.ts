import { endpoint } from "@/app/api/endpoint";

export const POST = endpoint(
  "POST /api/sessions/:sessionId/read",
  async ({ owner, services, params }) => {
    await services.runner.markRead(owner, params.sessionId);
    return { ok: true };
  },
);
