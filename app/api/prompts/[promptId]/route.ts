import { endpoint } from "@/app/api/endpoint";
import { deletePrompt, writePrompt } from "@/lib/chat/settings/prompts";

export const PUT = endpoint("PUT /api/prompts/:promptId", ({ owner, params, body }) =>
  writePrompt(owner, params.promptId, body),
);

export const DELETE = endpoint("DELETE /api/prompts/:promptId", ({ owner, params }) =>
  deletePrompt(owner, params.promptId),
);
