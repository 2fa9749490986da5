import { endpoint } from "@/app/api/endpoint";
import { modelMarkChanges } from "@/lib/chat/core/settings-store";
import { featureChanges, modelFeatures } from "@/lib/chat/settings/model-features";
import { overrides } from "@/lib/chat/settings/model-overrides";
import { settingsView } from "@/lib/chat/settings/settings-view";
import { installationFor } from "@/lib/server/owner-of";
import { assertMayReach } from "@/lib/server/reachable-address";

export const GET = endpoint("GET /api/settings", async ({ owner, services, identity }) =>
  settingsView(await installationFor(identity, services), owner),
);

export const PATCH = endpoint("PATCH /api/settings", async (context) => {
  const { owner, services, identity, body } = context;
  await assertMayReach(identity, body.searchAddress);
  if (body.defaultModel) await services.models.choose(owner, body.defaultModel);
  const { modelOverrides, modelFeatures: features, modelMark, ...changes } = body;
  const stored = await owner.settings.read();
  await owner.settings.change({
    ...changes,
    ...(modelMark && modelMarkChanges(modelMark)),
    ...(features && modelFeatures.allowedChanges(stored, featureChanges(features))),
    ...(modelOverrides && overrides.allowedChanges(stored, modelOverrides)),
  });
  return settingsView(await installationFor(identity, services), owner);
});
