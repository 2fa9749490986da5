import { endpoint } from "@/app/api/endpoint";
import { settingsView } from "@/lib/chat/settings/settings-view";

export const GET = endpoint("GET /api/settings", ({ owner, services }) =>
  settingsView(services.installation, owner),
);

export const PATCH = endpoint("PATCH /api/settings", async ({ owner, services, body }) => {
  if (body.defaultModel) await services.models.choose(owner, body.defaultModel);
  await owner.settings.change(body);
  return settingsView(services.installation, owner);
});
