import { changeSettingsRequest } from "@/lib/chat/wire/settings";
import { bodyOf, route } from "@/lib/server/route";
import { settingsView } from "@/lib/server/settings-view";

export const GET = route(async ({ owner, services }) =>
  Response.json(await settingsView(services, owner)),
);

export const PATCH = route(async ({ owner, services, request }) => {
  const { defaultModel, memoryMode, modelOverrides } = await bodyOf(request, changeSettingsRequest);
  if (defaultModel) await services.models.choose(owner, defaultModel);
  await owner.settings.change({ defaultModel, memoryMode, modelOverrides });
  services.models.forget(owner.ownerId);
  return Response.json(await settingsView(services, owner));
});
