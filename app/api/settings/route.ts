import { endpoint } from "@/app/api/endpoint";
import { saveOverrides } from "@/lib/chat/settings/providers";
import { settingsView } from "@/lib/chat/settings/settings-view";

export const GET = endpoint("GET /api/settings", ({ owner, services }) =>
  settingsView(services.installation, owner),
);

export const PATCH = endpoint("PATCH /api/settings", async ({ owner, services, body }) => {
  if (body.defaultModel) await services.models.choose(owner, body.defaultModel);
  const { modelOverrides, ...changes } = body;
  await owner.settings.change(changes);
  if (modelOverrides) await saveOverrides(owner, modelOverrides);
  return settingsView(services.installation, owner);
});
