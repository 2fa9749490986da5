import { settingsView } from "@/lib/chat/settings/settings-view";
import { changeSettingsRequest } from "@/lib/chat/wire/settings";
import { bodyOf, route } from "@/lib/server/route";

export const GET = route(async ({ owner, services }) =>
  Response.json(await settingsView(services.installation, owner)),
);

export const PATCH = route(async ({ owner, services, request }) => {
  const { defaultModel, memoryMode, modelOverrides } = await bodyOf(request, changeSettingsRequest);
  if (defaultModel) await services.models.choose(owner, defaultModel);
  await owner.settings.change({ defaultModel, memoryMode, modelOverrides });
  return Response.json(await settingsView(services.installation, owner));
});
